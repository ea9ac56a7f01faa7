import { type AuthorizationPolicy, TablePolicy } from '@rollcall/core'

/** Whose department an employee is in: a question to your own tables, or to a directory. */
export type DepartmentOf = (userId: string) => Promise<string | undefined>

/** People may delete themselves, and leads the people of their department. All else is as the table has it. */
export const ownRules = (departmentOf: DepartmentOf): AuthorizationPolicy => {
  const table = new TablePolicy()
  return {
    async decide(question) {
      const { caller, permission, target } = question
      const standard = table.decide(question)
      if (standard.allowed || permission !== 'users:delete' || target === undefined) return standard
      if (caller.id === target) return { allowed: true }
      const [theirs, ours] = [await departmentOf(target), await departmentOf(caller.id)]
      if (theirs !== undefined && theirs === ours && caller.roles.includes('lead')) return { allowed: true }
      return { allowed: false, because: 'You may delete yourself, and leads the people of their department.' }
    },
  }
}
