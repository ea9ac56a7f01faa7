import * as s from './schema.ts'

/** Access tokens that the service itself issued. */
export const TOKEN_SCHEMAS = {
  Token: s.record({
    jti: s.text("The token's id, not the token."),
    subject: s.text('The user or the program that it is for.'),
    roles: s.texts,
    feeds: {
      type: ['array', 'null'],
      items: s.resourceName,
      description: 'The only feeds that exist for it; null if it is not bound to feeds.',
    },
    label: s.text(),
    issued_by: s.text('The id of the caller that issued it.'),
    issued_at: s.time,
    expires_at: s.time,
    last_used_at: { ...s.timeOrNull, description: 'To the hour.' },
    revoked_at: s.timeOrNull,
  }),
  TokenList: s.listOf('Token'),
} as const satisfies Record<string, s.Schema>
