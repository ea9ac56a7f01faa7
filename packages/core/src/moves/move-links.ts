import type { Dependencies } from '../dependencies.ts'
import { LinkNotValid } from '../errors.ts'
import type { MovePurpose } from '../links/link-purpose.ts'
import type { Readers } from '../readers.ts'
import type { AddressMove } from './move-store.ts'

/**
 * The move that a link is about, as it is now: to be carried out, or carried out before by the link to it; to be
 * undone, or undone before by the link to that.
 * @throws {LinkNotValid} it has no valid signature, has expired, or another request has taken its place
 */
export const openMove = async (
  { moves }: Pick<Readers, 'moves'>,
  purpose: MovePurpose,
  token: string,
  { signedLinks }: Pick<Dependencies, 'signedLinks'>,
): Promise<AddressMove> => {
  const claims = signedLinks.require(purpose, token)
  const move = await moves.find(claims.id)
  if (move === undefined || move.episode !== claims.episode) throw new LinkNotValid()
  const fits = purpose === 'move' ? move.undoneAt === undefined : move.movedAt !== undefined
  if (!fits) throw new LinkNotValid()
  return move
}
