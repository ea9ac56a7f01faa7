const REASONS: Record<string, string | undefined> = {
  EACCES: 'You may not read it.',
  EISDIR: 'It is a folder.',
  ENOENT: 'There is no such file.',
}

/** Why a file could not be read, for a person; undefined where that is nothing a person can put right. */
export const whyUnreadable = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? REASONS[String(error.code)] : undefined
