import { spawnSync } from 'node:child_process'

/** Whatever changes a file, and whatever says something to others. */
const CALLS =
  'open,openat,write,writev,pwrite64,pwritev,pwritev2,sendmsg,sendto,fsync,fdatasync,ftruncate,truncate,fallocate,' +
  'rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,lseek,' +
  'copy_file_range,sendfile,splice,io_uring_setup,mmap'
/** Bytes: more than anything that is written at once. */
const LONGEST_WRITE = 16 * 1024 * 1024
const OPTIONS = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', `${LONGEST_WRITE}`, '-e', `trace=${CALLS}`]

/** The command that runs a program under a recorder of its system calls. */
export const traced = (trace: string, program: string, args: readonly string[]): [string, string[]] => [
  'strace',
  [...OPTIONS, '-o', trace, program, ...args],
]

/** What keeps system calls from being recorded here, and what to do about it; undefined where nothing does. */
export const whyNotTraced = (): string | undefined => {
  if (process.platform !== 'linux') return 'System calls are recorded by strace, which is for Linux: run this there.'
  const { error, status, stderr } = spawnSync(...traced('/dev/null', '/bin/true', []), { encoding: 'utf8' })
  if (error) return 'strace is missing, which records system calls: `apt-get install strace`.'
  if (status === 0) return undefined
  return `strace cannot record here (${stderr.trim().split('\n').at(-1) || `it ended with ${status}`}). It must be 5.3 or newer; a container needs --cap-add=SYS_PTRACE.`
}
