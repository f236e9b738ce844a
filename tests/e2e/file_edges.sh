#!/usr/bin/env bash
# Lengths past 4 GiB, times outside of 1970 to 2038, shared memory, places in a listing that changes,
# locks: what a file system gets wrong at its edges.
source "$(dirname "$0")/fixture.bash"
needs_mount
needs python3
cat >"$scratch/edges.py" <<'EOF'
import ctypes, errno, fcntl, mmap, multiprocessing, os, struct, sys

what, top = sys.argv[1], sys.argv[2]
os.chdir(top)
GIB = 1 << 30

def fails(code, call, *args):
    try:
        call(*args)
    except OSError as e:
        assert e.errno == code, f'{errno.errorcode[e.errno]}, expected {errno.errorcode[code]}'
        return
    assert False, f'worked, expected {errno.errorcode[code]}'

def big():
    fd = os.open('big', os.O_RDWR | os.O_CREAT)
    places = [4 * GIB - 3, 4 * GIB + 65533, 100 * GIB - 1, 1023 * GIB]
    for at in places:
        assert os.pwrite(fd, b'%d!' % at, at) == len(b'%d!' % at)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    for at in places:
        assert os.pread(fd, 20, at)[:len(b'%d!' % at)] == b'%d!' % at, at
        assert os.lseek(fd, at - 1000, os.SEEK_DATA) <= at
    assert os.pread(fd, 10, 50 * GIB) == bytes(10)
    assert os.stat('big').st_size == 1023 * GIB + len(b'%d!' % places[-1])
    assert os.stat('big').st_blocks * 512 <= 10 * 65536
    os.ftruncate(fd, 4 * GIB + 1)
    assert os.pread(fd, 10, 4 * GIB - 3) == b'4294'
    os.ftruncate(fd, 6 * GIB)
    assert os.pread(fd, 10, 4 * GIB - 3) == b'4294' + bytes(6)
    assert os.lseek(fd, 4 * GIB + 65536, os.SEEK_HOLE) == 4 * GIB + 65536
    fails(errno.EFBIG, os.ftruncate, fd, 1 << 41)
    with mmap.mmap(fd, 65536, offset=5 * GIB) as view:
        view[0:4] = b'high'
        view.flush()
    assert os.pread(fd, 4, 5 * GIB) == b'high'
    # 32-bit arithmetic would put it here.
    assert os.pread(fd, 4, GIB) == bytes(4)

TIMES = [-1, -2, -1_500_000_000, -999_999_999, -12_345_678_901_234_567_89,
         0, 1, 2_147_483_647_999_999_999, 2_147_483_648_000_000_001, 4_294_967_296_123_456_789]

def times_set():
    for i, ns in enumerate(TIMES):
        os.close(os.open(f'time{i}', os.O_CREAT))
        os.utime(f'time{i}', ns=(ns, TIMES[-1 - i]))
    os.mkdir('folder')
    os.symlink('time0', 'link')
    os.utime('folder', ns=(-5, -7))
    os.utime('link', ns=(-11, -13), follow_symlinks=False)
    times()

def times():
    for i, ns in enumerate(TIMES):
        s = os.stat(f'time{i}')
        assert (s.st_atime_ns, s.st_mtime_ns) == (ns, TIMES[-1 - i]), (i, s)
    s = os.stat('folder')
    assert (s.st_atime_ns, s.st_mtime_ns) == (-5, -7), s
    s = os.lstat('link')
    assert (s.st_atime_ns, s.st_mtime_ns) == (-11, -13), s

def mapped():
    fd = os.open('mapped', os.O_RDWR | os.O_CREAT)
    os.ftruncate(fd, 300_000)
    shared = mmap.mmap(fd, 300_000)
    private = mmap.mmap(fd, 300_000, flags=mmap.MAP_PRIVATE)
    shared[65530:65545] = b'over two blocks'
    assert os.pread(fd, 15, 65530) == b'over two blocks', 'read sees what was mapped'
    other = os.open('mapped', os.O_RDWR)
    os.pwrite(other, b'written', 131_072)
    assert shared[131_072:131_079] == b'written', 'a mapping sees what was written'
    private[131_072:131_079] = b'private'
    assert os.pread(fd, 7, 131_072) == b'written' and shared[131_072:131_079] == b'written'
    os.pwrite(other, b'again', 200_000)
    assert private[200_000:200_005] == b'again', 'a private page not touched follows the file'

    def child():
        with mmap.mmap(os.open('mapped', os.O_RDWR), 300_000) as theirs:
            theirs[0:5] = b'child'
    p = multiprocessing.get_context('fork').Process(target=child)
    p.start(); p.join()
    assert p.exitcode == 0 and shared[0:5] == b'child', 'another process writes the same page'
    # What is mapped follows the file through rename and unlink.
    os.rename('mapped', 'moved')
    shared[10:15] = b'moved'
    assert os.pread(fd, 5, 10) == b'moved'
    libc = ctypes.CDLL(None, use_errno=True)
    PUNCH_KEEP = 3
    assert libc.fallocate(fd, PUNCH_KEEP, ctypes.c_long(65536), ctypes.c_long(65536)) == 0
    assert shared[65530:65545] == b'over t' + bytes(9), 'a mapping sees a hole punched'
    assert os.copy_file_range(fd, fd, 5, 0, 250_000) == 5
    assert shared[250_000:250_005] == b'child', 'a mapping sees what the engine copied'
    os.unlink('moved')
    shared[20:24] = b'gone'
    shared.flush()
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    assert os.pread(fd, 4, 20) == b'gone' and private[20:24] == b'gone'

class Dirent(ctypes.Structure):
    _fields_ = [('ino', ctypes.c_uint64), ('off', ctypes.c_int64), ('reclen', ctypes.c_uint16),
                ('type', ctypes.c_uint8), ('name', ctypes.c_char * 256)]

def listing():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p
    libc.telldir.restype = ctypes.c_long
    libc.readdir.argtypes = libc.telldir.argtypes = libc.closedir.argtypes = [ctypes.c_void_p]
    libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]
    os.mkdir('listing')
    stay = {f'stay{i:04}' for i in range(600)}
    for name in stay:
        os.close(os.open(f'listing/{name}', os.O_CREAT))

    def churn():
        for i in range(1_000_000):
            name = f'listing/{"abtz"[i % 4]}come{i % 300}'
            try:
                os.close(os.open(name, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                os.unlink(name)
    p = multiprocessing.get_context('fork').Process(target=churn, daemon=True)
    p.start()
    for round in range(15):
        d = libc.opendir(b'listing')
        seen, places = [], []
        while True:
            place = libc.telldir(d)
            entry = libc.readdir(d)
            if not entry:
                break
            entry = ctypes.cast(entry, ctypes.POINTER(Dirent)).contents
            name = entry.name.decode()
            seen.append(name)
            if name in stay:
                places.append((place, name))
                if len(places) == 1:
                    assert entry.ino == os.stat(f'listing/{name}').st_ino
        kept = [name for name in seen if name in stay]
        assert len(kept) == len(set(kept)), 'something is listed twice'
        assert set(kept) == stay, f'skipped: {sorted(stay - set(kept))[:5]}'
        # Back to places in any order: what stayed comes next, but for what came in between.
        for place, name in places[::-37] + places[::53]:
            libc.seekdir(d, place)
            for _ in range(700):
                entry = libc.readdir(d)
                assert entry, f'{name} does not follow its place'
                next = ctypes.cast(entry, ctypes.POINTER(Dirent)).contents.name.decode()
                if next in stay:
                    assert next == name, f'{next} follows the place of {name}'
                    break
        libc.closedir(d)
    assert p.is_alive()
    p.kill(); p.join()

def locks():
    a = os.open('locked', os.O_RDWR | os.O_CREAT)
    b = os.open('locked', os.O_RDWR)
    # flock belongs to the opening, also in one process.
    fcntl.flock(a, fcntl.LOCK_SH)
    fcntl.flock(b, fcntl.LOCK_SH | fcntl.LOCK_NB)
    fails(errno.EAGAIN, fcntl.flock, a, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(b, fcntl.LOCK_UN)
    fcntl.flock(a, fcntl.LOCK_EX | fcntl.LOCK_NB)
    # fcntl's belong to the process and to a range.
    fcntl.lockf(a, fcntl.LOCK_EX, 10, 0)

    def child(pipe):
        f = os.open('locked', os.O_RDWR)
        try:
            fails(errno.EAGAIN, fcntl.lockf, f, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 5)
            fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 10)
            holder = struct.unpack('hhqqi4x', fcntl.fcntl(
                f, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 1, 0)))
            assert holder[0] == fcntl.F_WRLCK and holder[2:5] == (0, 10, os.getppid()), holder
            fails(errno.EAGAIN, fcntl.flock, f, fcntl.LOCK_SH | fcntl.LOCK_NB)
            pipe.send('ready')
            fcntl.lockf(f, fcntl.LOCK_EX, 5, 0)  # waits for the parent
            pipe.send('granted')
        except BaseException as e:
            pipe.send(repr(e))
    here, there = multiprocessing.Pipe()
    p = multiprocessing.get_context('fork').Process(target=child, args=(there,))
    p.start()
    assert (said := here.recv()) == 'ready', said
    assert not here.poll(0.2), 'a lock was granted that another process holds'
    os.close(os.open('locked', os.O_RDWR))  # POSIX: any close drops the process's locks
    assert here.poll(10) and here.recv() == 'granted'
    p.join()

globals()[what]()
EOF
edges() { timeout 120 python3 "$scratch/edges.py" "$@" || die "$1 on $2"; }

for layout in path node adjacency; do
  rm -f "$file"
  drive_mounted --layout "$layout"
  for each in big times_set mapped listing locks; do
    step "$each, layout $layout"
    edges "$each" "$mnt"
  done
  step "what libfuse 3.14 does not pass on, layout $layout"
  touch "$mnt/born"
  same "birth time" - "$(stat -c %w "$mnt/born")"

  remounted
  step "times after another mount, layout $layout"
  edges times "$mnt"
  unmounted
done

step "the same on the file system of \$TMPDIR, so that the test itself is right"
mkdir "$scratch/native"
for each in times_set mapped listing; do edges "$each" "$scratch/native"; done
