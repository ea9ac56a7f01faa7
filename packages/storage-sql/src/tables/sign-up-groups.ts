import type { SignUpGroupMember, SignUpGroupReader, SignUpGroupStore } from '@rollcall/core'
import { all, type Methods, pruneBefore } from './methods.ts'
import { type RowOf, table, text, whole } from './table.ts'

export const SIGN_UP_GROUP = table('sign_up_group', 2, {
  name: text(),
  n: whole(),
  subscription: whole(),
  episode: text<string | null>(),
  expires_at: whole(),
})

export type SignUpGroupRow = RowOf<typeof SIGN_UP_GROUP>

export const SIGN_UP_GROUP_READER: Methods<SignUpGroupReader> = {
  members: all(
    `SELECT subscription.id, sign_up_group.episode
      FROM sign_up_group JOIN subscription ON subscription.seq = sign_up_group.subscription
      WHERE sign_up_group.name = ? ORDER BY sign_up_group.n`,
    (group) => [group],
    (row: { id: number; episode: string | null }): SignUpGroupMember => ({
      id: row.id,
      episode: row.episode ?? undefined,
    }),
  ),
}

export const SIGN_UP_GROUP_STORE: Methods<Omit<SignUpGroupStore, 'add'>> = {
  ...SIGN_UP_GROUP_READER,
  prune: pruneBefore('sign_up_group', 'name, n', 'expires_at'),
}
