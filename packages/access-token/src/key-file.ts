import { KeysNotUsable } from './keys-not-usable.ts'
import type { Jwk } from './own-key.ts'
import type { OwnKeySet } from './own-keys.ts'
import { parseOwnKeySet } from './parse-own-keys.ts'
import { readPrivateFile } from './private-file.ts'

/** @throws {KeysNotUsable} it is gone, damaged, open to others, or cannot be read */
export const readKeyFile = async (file: string): Promise<OwnKeySet> => {
  const text = await readPrivateFile(file)
  if (text === undefined) throw new KeysNotUsable(`The key file ${file} is gone. Put it back from a backup.`)
  return await parseOwnKeySet(text, `The key file ${file}`)
}

export const keyFileText = (keys: readonly Jwk[]): string => `${JSON.stringify({ keys }, undefined, 2)}\n`
