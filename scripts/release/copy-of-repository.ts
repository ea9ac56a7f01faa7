import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const OURS = '@rollcall'
const LEFT_OUT = new Set(['node_modules', '.git', 'tarballs', 'data', '.schemathesis'])

/** The working tree in a folder of its own, committed to a repository of its own, with what is installed here. */
export const copyOfRepository = (): string => {
  const copy = mkdtempSync(path.join(tmpdir(), 'rollcall-release-'))
  cpSync(ROOT, copy, { recursive: true, filter: (file) => !LEFT_OUT.has(path.basename(file)) })
  for (const folder of ['.', ...globSync('packages/*', { cwd: ROOT })]) linkModules(folder, copy)
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: copy })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Dry run')
  git('config', 'user.email', 'dry-run@example.com')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'chore: the working tree')
  return copy
}

/** Each installed package is a link to the one here, except ours, which must be those of the copy. */
const linkModules = (folder: string, copy: string): void => {
  const modules = path.join(ROOT, folder, 'node_modules')
  for (const name of namesIn(modules)) {
    const real = realpathSync(path.join(modules, name))
    const isOurs = !path.relative(ROOT, real).split(path.sep).includes('node_modules')
    const link = path.join(copy, folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(isOurs ? path.join(copy, path.relative(ROOT, real)) : real, link, 'junction')
  }
}

const namesIn = (modules: string): string[] => {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => name !== OURS && name !== '.cache')
  return existsSync(path.join(modules, OURS))
    ? [...names, ...readdirSync(path.join(modules, OURS)).map((name) => path.join(OURS, name))]
    : names
}
