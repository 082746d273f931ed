import { execFile, execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * A disk whose power can be cut: ext4 in a file on a loop device. The cut is an ioctl of ext4
 * (EXT4_IOC_SHUTDOWN without flushing its journal, ext4(5)). From then on nothing reaches the file, and
 * unsynced data in the kernel's pages is lost, as in a power failure.
 */
export interface CuttableDisk {
  /** The mount point. */
  readonly directory: string;
  /** Every later call on it fails with EIO. */
  cut(): Promise<void>;
  /**
   * Mounts the remaining data again. Call it after {@link cut} and the end of all processes with open files.
   */
  restore(): Promise<void>;
  /** Unmounts it and removes its file. */
  remove(): void;
}

const run = promisify(execFile);

/** `_IOR('X', 125, __u32)` of linux/fs.h, and the flag EXT4_GOING_FLAGS_NOLOGFLUSH. */
const SHUTDOWN = `
  open(my $disk, "<", $ARGV[0]) or die $!;
  my $flags = pack("L", 2);
  ioctl($disk, 0x8004587d, $flags) or die $!;`;
const SIZE = '3G';
const RELEASE_MS = 15_000;

/**
 * @returns null, after a message, if this machine cannot create one, which needs root on Linux
 * @throws instead if CI is set
 */
export async function createCuttableDisk(): Promise<CuttableDisk | null> {
  if (!canMount()) {
    const reason =
      'no disk whose power can be cut: that takes root on Linux, mkfs.ext4, mount, unshare, perl';
    if (process.env.CI) throw new Error(reason);
    console.warn(`${reason}; tests that need one are skipped`);
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'loglane-disk-'));
  const image = join(folder, 'image');
  const directory = join(folder, 'mounted');
  const remove = () => {
    // A lazy unmount succeeds although a process still has open files; the file system goes when that process ends.
    if (isMounted(directory)) execFileSync('umount', ['--lazy', directory]);
    rmSync(folder, { recursive: true, force: true });
    process.off('exit', remove);
  };
  process.once('exit', remove);
  // ext4 writes the journal as rarely as it can, so that little reaches the disk without a sync.
  const mount = () => run('mount', ['-o', 'loop,commit=300', image, directory]);
  await mkdir(directory);
  await writeFile(image, '');
  await run('truncate', ['-s', SIZE, image]);
  await run('mkfs.ext4', ['-q', '-F', image]);
  await mount();
  return {
    directory,
    async cut() {
      await run('perl', ['-e', SHUTDOWN, directory]);
    },
    async restore() {
      const deadline = Date.now() + RELEASE_MS;
      for (;;) {
        try {
          await unmount(directory, deadline);
          await mount();
          // Another process's copy of the mount keeps the dead file system alive, and a new mount would show
          // that one.
          await writeFile(join(directory, 'restored'), '', { flush: true });
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await sleep(100);
        }
      }
    },
    remove,
  };
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folders = (process.env.PATH ?? '').split(':');
  return ['mkfs.ext4', 'mount', 'umount', 'unshare', 'perl'].every((program) =>
    [...folders, '/sbin', '/usr/sbin'].some((folder) => existsSync(join(folder, program))),
  );
}

function isMounted(directory: string): boolean {
  try {
    execFileSync('mountpoint', ['-q', directory]);
    return true;
  } catch {
    return false;
  }
}

/** The engine's process ends shortly after its parent. */
async function unmount(directory: string, deadline: number): Promise<void> {
  while (isMounted(directory)) {
    try {
      await run('umount', [directory]);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/**
 * A command prefix that simulates a reboot: it runs a program with the kernel's boot id from the file. Only
 * this test disk stays mounted.
 */
export const asAnotherBoot = (bootIdFile: string, { directory }: CuttableDisk): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `grep -o '/[^ ]*/loglane-disk-[^ ]*/mounted' /proc/mounts | while read -r other; do
     [ "$other" = '${directory}' ] || umount --lazy "$other"
   done
   mount --bind '${bootIdFile}' /proc/sys/kernel/random/boot_id && exec "$@"`,
  'sh',
];
