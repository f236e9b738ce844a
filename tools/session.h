// A table file opened for the length of one command, and a drive in it.

#pragma once

#include <memory>
#include <string>

#include "fs/accounts.h"
#include "fs/drive.h"
#include "table/ledger.h"
#include "table/store.h"
#include "tools/location.h"

namespace prefixfs {

enum class Access { read, write, create };

// Works beside a mount of the same file.  Nothing is durable before store().sync().  Throws
// TableError.
std::unique_ptr<table::Store> open_table(const std::string& file, Access access,
                                         table::Limits limits = table::Limits::dynamo);

// Throws Failure, naming those there are, if the file has no such drive.
DriveInfo require_drive(table::Table& table, const std::string& file, const std::string& drive);

class DriveSession {
 public:
  // Throws Failure if the file has no such drive, TableError if it cannot be opened.
  DriveSession(const std::string& file, const std::string& drive, Access access);

  table::Store& store() { return *store_; }
  table::Ledger& ledger() { return ledger_; }
  Accounts& accounts() { return accounts_; }
  Drive& drive() { return *drive_; }
  const std::string& file() const { return file_; }

  // Throws Failure naming the path if there is none.
  Located locate(const Path& path);
  std::string text(const Path& path) const { return file_ + ":" + path.text(); }

  // Keys are only those of MODEL.md where they follow the tree; throws Failure elsewhere.
  void require_path_keys();

 private:
  std::string file_;
  SystemAccounts accounts_;
  table::Ledger ledger_;
  std::unique_ptr<table::Store> store_;
  std::unique_ptr<Drive> drive_;
};

}  // namespace prefixfs
