#!/bin/sh
# A folder of 1,000 files in the layout path: a put and a delete for each, and for the folder.
. "$(dirname "$0")/setup.sh"

mounted path
files 1000 "$work/mnt/docs"
mv "$work/mnt/docs" "$work/mnt/documents"
cost=$(last_rename)
expect "$cost" items 1001
expect "$cost" puts 1001
expect "$cost" deletes 1001
expect "$cost" write_units 2002
expect "$cost" write_units_transactional 4004
expect "$cost" batch_calls 81
expect "$cost" transact_calls 21
expect "$cost" atomic_on_dynamodb false
expect "$cost" floor_seconds 2.002
echo "a rename of 1,001 nodes costs 2,002 write units"
