import { chmod, chown, lstat, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Attack, type AttackContext, counted } from './attack.ts'
import { Target } from './target.ts'

/** A user that neither runs the service nor is root. */
const STRANGER = 12_345
const REFUSED = 4

interface Believed {
  readonly name: string
  /** Modes by which everybody may write or read it. */
  readonly modes: readonly number[]
  /** Makes it, where the service has not. */
  readonly make?: (file: string) => Promise<unknown>
  /** Whether another user may own it: a translator, for example, which is worth a warning. */
  readonly mayBeStrange?: boolean
  /** Settings that name it; it is there from the beginning then. */
  readonly settings?: Readonly<Record<string, string>>
}

const folder = (file: string): Promise<unknown> => mkdir(file, { recursive: true, mode: 0o700 })
const withText =
  (text: string) =>
  (file: string): Promise<void> =>
    writeFile(file, text, { mode: 0o600 })

const SECRET = 'a secret that somebody else has thought of'
const OF_FILES = [0o644, 0o602]
const OF_FOLDERS = [0o755, 0o703]

/** What the service does as it says, or keeps secrets in. */
const BELIEVED: readonly Believed[] = [
  { name: 'data', modes: OF_FOLDERS },
  { name: 'data/secret', modes: OF_FILES },
  { name: 'data/link-keys.json', modes: OF_FILES },
  { name: 'data/signing-keys.json', modes: OF_FILES },
  { name: 'data/rollcall.db', modes: OF_FILES },
  { name: 'data/rollcall.db-journal', modes: OF_FILES, make: withText('') },
  { name: 'data/audit-anchor', modes: [0o602] },
  { name: 'data/mail', modes: OF_FOLDERS, make: folder },
  { name: 'data/templates', modes: [0o703], make: folder, mayBeStrange: true },
  { name: 'data/pages', modes: [0o703], make: folder, mayBeStrange: true },
  { name: '.env', modes: OF_FILES, make: withText('ROLLCALL_TRACE=off\n') },
  { name: 'a-secret', modes: [0o602], make: withText(SECRET), settings: { SECRET_FILE: 'a-secret' } },
  { name: 'a-sender', modes: [0o602], make: withText('a@example.com'), settings: { MAIL_FROM_FILE: 'a-sender' } },
]

/** One way to have the service believe somebody else. */
interface Plant {
  readonly name: string
  apply(): Promise<unknown>
  undo(): Promise<unknown>
}

const isThere = async (file: string): Promise<boolean> => (await lstat(file).catch(() => undefined)) !== undefined

const plantsOf = async ({ home }: Target, { name, modes, make, mayBeStrange }: Believed): Promise<Plant[]> => {
  const file = path.join(home.folder, name)
  const made = !(await isThere(file))
  if (made && make === undefined) return []
  await make?.(file)
  const { mode, uid, gid } = await stat(file)
  const aside = path.join(home.folder, 'aside')
  const discard = async () => (made ? await rm(file, { recursive: true, force: true }) : undefined)
  if (made) await discard()
  const begin = async () => (made ? await make?.(file) : undefined)
  const opened = modes.map(
    (open): Plant => ({
      name: `${name} with mode ${open.toString(8)}`,
      apply: async () => {
        await begin()
        await chmod(file, open)
      },
      undo: async () => {
        await chmod(file, mode & 0o7777)
        await discard()
      },
    }),
  )
  // Only root can give files away.
  if (process.getuid?.() !== 0 || mayBeStrange) return opened
  const owned: Plant = {
    name: `${name} of another user`,
    apply: async () => {
      await begin()
      await chown(file, STRANGER, STRANGER)
    },
    undo: async () => {
      await chown(file, uid, gid)
      await discard()
    },
  }
  const linked: Plant = {
    name: `${name} as a link to what another user has`,
    apply: async () => {
      await begin()
      await rename(file, aside)
      await chown(aside, STRANGER, STRANGER)
      await symlink(aside, file)
    },
    undo: async () => {
      await rm(file)
      await chown(aside, uid, gid)
      await rename(aside, file)
      await discard()
    },
  }
  return [...opened, owned, linked]
}

const COMMANDS = [
  ['user', 'list'],
  ['token', 'issue', '--subject', 'eve', '--role', 'admin'],
]

/** Which commands do as they are told. */
const obedient = async (
  target: Target,
  { name }: Plant,
  commands: readonly (readonly string[])[],
): Promise<string[]> => {
  const found: string[] = []
  for (const command of commands) {
    const { code } = await target.run(...command)
    if (code !== REFUSED) found.push(`${name}: ${command.slice(0, 2).join(' ')} (${code})`)
  }
  return found
}

const servesWith = async (target: Target): Promise<boolean> => {
  const serves = await target.start().then(
    () => true,
    () => false,
  )
  if (serves) await target.stop()
  return serves
}

/** Plants each in turn on a service with these settings. */
const tried = async (context: AttackContext, believed: readonly Believed[]) => {
  const [{ settings, make, name: named = '' } = { settings: undefined, make: undefined }] = believed
  await using target = await Target.make(context, settings)
  if (settings !== undefined) await make?.(path.join(target.home.folder, named))
  await target.start()
  await target.stop()
  await target.token('root', 'admin')
  const found: string[] = []
  let plants = 0
  const commands = context.isQuick ? COMMANDS.slice(0, 1) : COMMANDS
  for (const one of believed)
    for (const plant of await plantsOf(target, one)) {
      await plant.apply()
      plants++
      found.push(...(await obedient(target, plant, commands)))
      if (!context.isQuick && (await servesWith(target))) found.push(`${plant.name}: serve`)
      await plant.undo()
    }
  // Else something else was wrong.
  await target.succeed('user', 'list')
  return { found, tries: plants * (commands.length + (context.isQuick ? 0 : 1)) }
}

/** Files of others, and files that others can change, in place of those that the service believes. */
export const plantedFiles: Attack = {
  name: 'planted-files',
  stores: ['sqlite'],
  run: async (context) => {
    const named = BELIEVED.filter(({ settings }) => settings !== undefined)
    const groups = [BELIEVED.filter((one) => !named.includes(one)), ...named.map((one) => [one])]
    const results = await Promise.all(groups.map((group) => tried(context, group)))
    const tries = results.reduce((sum, result) => sum + result.tries, 0)
    return [
      counted(
        'commands that obey them',
        tries,
        results.flatMap(({ found }) => found),
      ),
    ]
  },
}
