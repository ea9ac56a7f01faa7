import type { SignUpGroup, SignUpGroupMember, SignUpGroupReader, SignUpGroupStore } from '@rollcall/core'
import { type Methods, pruneBefore } from './methods.ts'
import { type RowOf, table, text, whole } from './table.ts'

export const SIGN_UP_GROUP = table('sign_up_group', 2, {
  name: text(),
  n: whole(),
  subscription: whole(),
  episode: text<string | null>(),
  expires_at: whole(),
})

export type SignUpGroupRow = RowOf<typeof SIGN_UP_GROUP>

type MemberRow = Pick<SignUpGroupRow, 'name' | 'episode'> & { readonly id: number }

export const SIGN_UP_GROUP_READER: Methods<SignUpGroupReader> = {
  membersOf: {
    gives: 'all',
    text: `SELECT sign_up_group.name, subscription.id, sign_up_group.episode
      FROM sign_up_group JOIN subscription ON subscription.seq = sign_up_group.subscription
      WHERE sign_up_group.name IN @texts ORDER BY sign_up_group.name, sign_up_group.n`,
    values: (groups) => [groups],
    answer: (rows: readonly MemberRow[]) => {
      const members = new Map<SignUpGroup, SignUpGroupMember[]>()
      for (const { name, id, episode } of rows)
        members.set(name, [...(members.get(name) ?? []), { id, episode: episode ?? undefined }])
      return members
    },
  },
}

export const SIGN_UP_GROUP_STORE: Methods<Omit<SignUpGroupStore, 'add'>> = {
  ...SIGN_UP_GROUP_READER,
  prune: pruneBefore('sign_up_group', 'name, n', 'expires_at'),
}
