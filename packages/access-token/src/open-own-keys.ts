import { keyFileText } from './key-file.ts'
import { generateOwnJwk } from './own-key.ts'
import { OwnKeys } from './own-keys.ts'
import { parseOwnKeySet } from './parse-own-keys.ts'
import { readPrivateFile, writeFirst } from './private-file.ts'

/**
 * Opens the signing keys kept in a file; makes one, for this user alone, where there is no file yet. Of several
 * processes that start at once, one makes it and all use it.
 * @throws {KeysNotUsable} the file is damaged, open to others, or cannot be read or made
 */
export const openOwnKeys = async ({ file }: { readonly file: string }): Promise<OwnKeys> => {
  const existing = await readPrivateFile(file)
  return new OwnKeys(await parseOwnKeySet(existing ?? (await makeKeyFile(file)), `The key file ${file}`))
}

const makeKeyFile = async (file: string): Promise<string> =>
  await writeFirst(file, keyFileText([await generateOwnJwk()]))
