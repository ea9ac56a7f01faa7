import { type AuthorizationPolicy, TablePolicy } from '@rollcall/core'

/** In which department somebody works, and whether as its lead: a question to your own tables, or to a directory. */
export type PlaceOf = (userId: string) => Promise<{ readonly department: string; readonly leads: boolean } | undefined>

/** People may delete themselves, and leads the people of their department. All else is as the table has it. */
export const ownRules = (placeOf: PlaceOf): AuthorizationPolicy => {
  const table = new TablePolicy()
  return {
    async decide(question) {
      const { caller, permission, target } = question
      const standard = table.decide(question)
      if (standard.allowed || permission !== 'users:delete' || target === undefined) return standard
      if (caller.id === target) return { allowed: true }
      const [theirs, ours] = [await placeOf(target), await placeOf(caller.id)]
      if (ours?.leads && theirs?.department === ours.department) return { allowed: true }
      return { allowed: false, because: 'You may delete yourself, and leads the people of their department.' }
    },
  }
}
