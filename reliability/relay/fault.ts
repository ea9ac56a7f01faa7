/** Where in a dialogue something may happen; `body` is when the first of the mail itself comes. */
export type Step = 'connect' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'dot'

/**
 * What the relay does instead of what it should: a reply of its own, hanging up, saying nothing any more, or garbage.
 * `keep` takes the mail and hangs up before it says so.
 */
export type Fault =
  | { readonly reply: string; readonly hangUp?: boolean }
  | { readonly act: 'drop' | 'hang' | 'garbage' | 'reset' | 'endless' | 'trickle' | 'keep' }

/** What a dialogue has come to. */
export interface Dialogue {
  /** Of its connection, counted from 0. */
  readonly connection: number
  readonly recipient: string | undefined
}

/** Asked at every step; undefined where all shall go well. */
export type Decide = (step: Step, dialogue: Dialogue) => Fault | undefined

export const REPLIES: Readonly<Record<Step, string>> = {
  connect: '220 sink.example.com ESMTP',
  EHLO: '250-sink.example.com\r\n250-8BITMIME\r\n250 SMTPUTF8',
  MAIL: '250 2.1.0 OK',
  RCPT: '250 2.1.5 OK',
  DATA: '354 go ahead',
  body: '',
  dot: '250 2.0.0 accepted',
}
