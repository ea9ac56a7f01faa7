import type { OperationId } from '@rollcall/client'

/** An outcome as machines and as people are told it. */
type Told = readonly [name: string, words: string]

/** What can be done to every user of a list, and what people are told of it. */
export interface Kind {
  readonly operation: OperationId & ('deleteUsers' | 'restoreUsers' | 'suspendUsers' | 'resumeUsers' | 'changeRoles')
  /** The command, without `rollcall user`. */
  readonly verb: string
  readonly doing: string
  readonly noun: string
  readonly done: Told
  readonly would: Told
  readonly already: Told
  /** As in `2 users ...`. */
  readonly will: string
  /** As in `Type 2 to ... them`, and `No user was ...`. */
  readonly todo: string
  readonly past: string
  /** It tells of the subscriptions of the same addresses. */
  readonly subscriptions?: true
}

export interface BulkTerms {
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/** Its words, most of which follow from the verb and its participle. */
const kind = <Operation extends Kind['operation'], Verb extends string>(
  operation: Operation,
  verb: Verb,
  { todo = verb, past, will = `will be ${past}`, ...words }: Words,
) => {
  const done: Told = [past, past]
  const would: Told = [`would_${todo}`, `would be ${past}`]
  return { operation, verb, todo, past, will, done, would, ...words }
}

interface Words extends Pick<Kind, 'already' | 'doing' | 'noun' | 'past' | 'subscriptions'> {
  readonly todo?: string
  readonly will?: string
}

export const KINDS = {
  delete: kind('deleteUsers', 'delete', {
    doing: 'Deleting',
    noun: 'deletion',
    past: 'deleted',
    already: ['already_deleted', 'deleted already'],
    subscriptions: true,
  }),
  restore: kind('restoreUsers', 'restore', {
    doing: 'Restoring',
    noun: 'restoration',
    past: 'restored',
    already: ['already_there', 'there already'],
  }),
  suspend: kind('suspendUsers', 'suspend', {
    doing: 'Suspending',
    noun: 'suspension',
    past: 'suspended',
    already: ['already_suspended', 'suspended already'],
  }),
  resume: kind('resumeUsers', 'resume', {
    doing: 'Resuming',
    noun: 'resumption',
    past: 'resumed',
    already: ['not_suspended', 'not suspended'],
    will: 'will have access again',
  }),
  roles: kind('changeRoles', 'set', {
    doing: 'Changing',
    noun: 'role change',
    todo: 'change',
    past: 'changed',
    already: ['unchanged', 'unchanged'],
    will: 'will have other roles',
  }),
} as const satisfies Readonly<Record<string, Kind>>

/** The outcomes that all kinds share. */
export const COMMON = {
  not_found: 'not found',
  refused: 'refused',
  /** Refused when the plan was made, so not tried. */
  left_out: 'left out by the plan',
  repeated: 'repeated',
  blank: 'blank',
} as const
