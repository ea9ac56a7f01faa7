import type { LinkSigning } from '@rollcall/core'
import { existingLinkKeys } from '../../packages/app/src/link-keys.ts'
import { createNodeDigests } from '../../packages/app/src/platform/node-digests.ts'

/** What a service with this data folder, which has been started, signs links with. */
export const linkSigning = async (data: string): Promise<LinkSigning> => {
  const linkKeys = await existingLinkKeys({ DATA_DIR: data, LINK_KEYS: undefined })
  if (linkKeys === undefined) throw new Error(`There are no link keys in ${data}.`)
  return { linkKeys, digests: createNodeDigests('') }
}
