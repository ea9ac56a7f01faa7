const UNREADABLE: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not read it.',
  EISDIR: 'It is a folder.',
  ENOENT: 'There is no such file.',
}

/** Why a file could not be read, for a person; undefined where a person cannot fix it. */
export const whyUnreadable = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? UNREADABLE[String(error.code)] : undefined

const UNWRITABLE: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not write there.',
  EDQUOT: 'You have no space left on this disk.',
  EISDIR: 'It is a folder.',
  ENOENT: 'There is no such folder.',
  ENOSPC: 'No space is left on this disk.',
  ENOTDIR: 'A part of its path is not a folder.',
  EPERM: 'You may not write there.',
  EROFS: 'This disk can only be read.',
}

/** Why a file or a stream could not be written, for a person. */
export const whyUnwritable = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return UNWRITABLE[code] ?? (error instanceof Error ? error.message : String(error))
}
