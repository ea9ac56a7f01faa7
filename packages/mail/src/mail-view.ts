import type { FeedFace, Instant, MailKind, MailLinks } from '@rollcall/core'

/** Everything that a template may fill in. */
export interface MailView {
  readonly feed: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly language?: string | undefined
  }
  /** The service as people know it. */
  readonly host: string
  readonly links: MailLinks
  /** What the reader is asked to agree to, if the feed has a wording of its own: its lines, none of them empty. */
  readonly wording: Wording | undefined
  /** Of a mail about several feeds, all of them. */
  readonly feeds: readonly { readonly title: string; readonly wording: Wording | undefined }[]
  /** What the feed looks like, and says in words of its own. */
  readonly face?: FeedFace | undefined
  /** A picture that is a part of the mail. */
  readonly logo?: { readonly src: string; readonly width: number; readonly height: number } | undefined
  readonly expiresAt?: Instant | undefined
}

type Wording = { readonly lines: readonly string[] }

/** What templates are named by: a mail about several feeds has its own. */
export type TemplateName = MailKind | `several-${(typeof ABOUT_SEVERAL)[number]}`

export const ABOUT_SEVERAL = ['confirmation', 'reminder', 'already-subscribed'] as const satisfies readonly MailKind[]
