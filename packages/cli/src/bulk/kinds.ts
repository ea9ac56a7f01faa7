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

/** What is ordered for every user of a list. */
export interface BulkTerms {
  readonly reason: string | undefined
  /** What becomes of subscriptions of the same addresses. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

export const KINDS = {
  delete: {
    operation: 'deleteUsers',
    verb: 'delete',
    doing: 'Deleting',
    noun: 'deletion',
    done: ['deleted', 'deleted'],
    would: ['would_delete', 'would be deleted'],
    already: ['already_deleted', 'deleted already'],
    will: 'will be deleted',
    todo: 'delete',
    past: 'deleted',
    subscriptions: true,
  },
  restore: {
    operation: 'restoreUsers',
    verb: 'restore',
    doing: 'Restoring',
    noun: 'restoration',
    done: ['restored', 'restored'],
    would: ['would_restore', 'would be restored'],
    already: ['already_there', 'there already'],
    will: 'will be restored',
    todo: 'restore',
    past: 'restored',
  },
  suspend: {
    operation: 'suspendUsers',
    verb: 'suspend',
    doing: 'Suspending',
    noun: 'suspension',
    done: ['suspended', 'suspended'],
    would: ['would_suspend', 'would be suspended'],
    already: ['already_suspended', 'suspended already'],
    will: 'will be suspended',
    todo: 'suspend',
    past: 'suspended',
  },
  resume: {
    operation: 'resumeUsers',
    verb: 'resume',
    doing: 'Resuming',
    noun: 'resumption',
    done: ['resumed', 'resumed'],
    would: ['would_resume', 'would be resumed'],
    already: ['not_suspended', 'not suspended'],
    will: 'will have access again',
    todo: 'resume',
    past: 'resumed',
  },
  roles: {
    operation: 'changeRoles',
    verb: 'set',
    doing: 'Changing',
    noun: 'role change',
    done: ['changed', 'changed'],
    would: ['would_change', 'would be changed'],
    already: ['unchanged', 'unchanged'],
    will: 'will have other roles',
    todo: 'change',
    past: 'changed',
  },
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
