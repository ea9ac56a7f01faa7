import type { Stats } from 'node:fs'

/** Who besides this user can read or change a file that must be trusted. */
export interface AccessProblem {
  /** False if it is worth a warning only. */
  readonly refused: boolean
  /** Goes on where the name of the file ends. */
  readonly problem: string
  /** A sentence with the command that ends it. */
  readonly remedy: string
}

interface AccessRule {
  /** Whether there is no secret in it, so that anyone may read it. */
  readonly readable?: boolean
  /** Whether one who owns it may be trusted with its content. */
  readonly strangers?: 'refused' | 'warned'
  /** Whether the system may have put it there, readable for everybody, as containers mount secrets. */
  readonly mounted?: boolean
}

const READ = 0o4
const WRITE = 0o2
const ROOT = 0

/**
 * What is wrong with the owner or the permissions of a file or a folder; undefined if they are in order. Access by
 * the group is a warning only: Kubernetes gives the group of a pod access to its volumes. Windows has neither; its
 * files take after their folder.
 */
export const accessProblem = (
  file: string,
  stats: Pick<Stats, 'mode' | 'uid' | 'isDirectory'>,
  { readable = false, strangers = 'refused', mounted: mayBeMounted = false }: AccessRule = {},
  self: number | undefined = process.geteuid?.(),
): AccessProblem | undefined => {
  if (self === undefined) return undefined
  const { mode, uid } = stats
  const bits = readable ? WRITE : READ | WRITE
  const name = shellWord(file)
  const asOwner = (command: string): string => (uid === self || self === ROOT ? command : `sudo ${command}`)
  const isStrange = uid !== self && uid !== ROOT
  // What is mounted is root's, and the group is how this process gets to it.
  const mounted = mayBeMounted && uid === ROOT
  const strange = (): AccessProblem => ({
    refused: strangers === 'refused',
    problem: `belongs to another user (${uid}), who can change it`,
    remedy: ownerRemedy(name, stats, self),
  })
  if (isStrange && strangers === 'refused') return strange()
  // Of another's file the group keeps what it has: this process may have its access by that alone.
  const closed = uid === self && !readable ? (stats.isDirectory() ? '700' : '600') : readable ? 'o-w' : 'o-rwx'
  if ((mode & bits) !== 0)
    return {
      refused: !(mounted && (mode & WRITE) === 0),
      problem: 'is open to other users',
      remedy: `Close it: ${asOwner(`chmod ${closed} ${name}`)}`,
    }
  if (isStrange) return strange()
  if (readable || mounted || (mode & (bits << 3)) === 0) return undefined
  const shut = stats.isDirectory() ? 'g-rwx' : 'g-rw'
  const remedy = `Close it, unless the group is this service's own: ${asOwner(`chmod ${shut} ${name}`)}`
  return { refused: false, problem: 'is open to its group', remedy }
}

const ownerRemedy = (name: string, stats: Pick<Stats, 'uid' | 'isDirectory'>, self: number): string => {
  // To root all files are strange: taken over, they would be out of reach for the user whom they are of.
  if (self === ROOT) return `Run this as that user: sudo -u '#${stats.uid}' rollcall ...`
  const take = `chown ${stats.isDirectory() ? '-R ' : ''}${self} ${name}`
  return `Look at what is in it; if it is yours, take it over: sudo ${take}`
}

/** As a shell takes it for one word. */
const shellWord = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
