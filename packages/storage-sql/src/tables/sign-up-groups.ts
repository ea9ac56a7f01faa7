import type { SignUpGroup, SignUpGroupMember, SignUpGroupReader, SignUpGroupStore } from '@rollcall/core'
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

type MemberRow = Pick<SignUpGroupRow, 'name' | 'episode'> & { readonly id: number }

const toMember = ({ id, episode }: MemberRow): SignUpGroupMember => ({ id, episode: episode ?? undefined })

const MEMBERS = `SELECT sign_up_group.name, subscription.id, sign_up_group.episode
  FROM sign_up_group JOIN subscription ON subscription.seq = sign_up_group.subscription WHERE sign_up_group.name`

export const SIGN_UP_GROUP_READER: Methods<SignUpGroupReader> = {
  members: all(`${MEMBERS} = ? ORDER BY sign_up_group.n`, (group) => [group], toMember),
  membersOf: {
    gives: 'all',
    text: `${MEMBERS} IN @texts ORDER BY sign_up_group.name, sign_up_group.n`,
    values: (groups) => [groups],
    answer: (rows: readonly MemberRow[]) => {
      const members = new Map<SignUpGroup, SignUpGroupMember[]>()
      for (const row of rows) members.set(row.name, [...(members.get(row.name) ?? []), toMember(row)])
      return members
    },
  },
}

export const SIGN_UP_GROUP_STORE: Methods<Omit<SignUpGroupStore, 'add'>> = {
  ...SIGN_UP_GROUP_READER,
  prune: pruneBefore('sign_up_group', 'name, n', 'expires_at'),
}
