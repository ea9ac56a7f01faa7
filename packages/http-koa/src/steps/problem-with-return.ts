import type { FieldProblem, PublicFeed } from '@rollcall/core'

/** What is wrong with where a form asks to be sent back to, if anything: nobody is sent where the feed does not say. */
export const problemWithReturn = (
  { returnUrls }: Pick<PublicFeed, 'returnUrls'>,
  returnTo: string | undefined,
): FieldProblem | undefined =>
  !returnTo || returnUrls.includes(returnTo)
    ? undefined
    : { field: 'return_to', message: "Use one of the feed's return URLs, to the letter." }
