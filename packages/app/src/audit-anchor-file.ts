import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AuditAnchor } from '@rollcall/core'
import { replacePrivateFile, unlessMissing } from '@rollcall/platform-node'
import type { Config } from './config.ts'
import { StartupError } from './startup-error.ts'
import { statOf } from './trusted-files.ts'

export const auditAnchorFile = (file: string): AuditAnchor => ({
  read: async () => {
    try {
      return await unlessMissing(readFile(file, 'utf8'))
    } catch (cause) {
      throw notUsable(`The seal in ${file} cannot be read`, cause)
    }
  },
  write: async (text) => {
    try {
      await replacePrivateFile(file, `${text}\n`)
    } catch (cause) {
      throw notUsable(`The seal of the audit trail cannot be kept in ${file}`, cause)
    }
  },
})

const notUsable = (problem: string, cause: unknown): StartupError =>
  new StartupError(
    `${problem} (${(cause as NodeJS.ErrnoException).code}). Fix the permissions of the file and its folder, or set ROLLCALL_AUDIT_ANCHOR.`,
    { cause },
  )

/**
 * Sees at the start that the anchor can be there at all.
 * @throws {StartupError} it has no folder, or the name is that of a folder
 */
export const requireAnchorPlace = ({ anchorFile }: Pick<Config, 'anchorFile'>): void => {
  const problem = anchorProblem(anchorFile)
  if (problem !== undefined) throw new StartupError(problem)
}

/** Why the file cannot be there; undefined if it can. */
export const anchorProblem = (file: string): string | undefined => {
  const folder = path.dirname(file)
  if (!isFolder(folder)) return `ROLLCALL_AUDIT_ANCHOR: there is no folder ${folder}. Make it, or name another file.`
  return isFolder(file) ? `ROLLCALL_AUDIT_ANCHOR: ${file} is a folder. Name a file in it.` : undefined
}

const isFolder = (place: string): boolean => statOf(place)?.isDirectory() === true
