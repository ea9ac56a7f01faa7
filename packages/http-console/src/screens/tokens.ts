import { IssueTokenUseCase, RevokeTokenUseCase } from '@rollcall/core'
import { html } from '@rollcall/platform-node'
import { field, select, ticks } from '../parts/fields.ts'
import { actions, badge, code, doneNotice, FULL_ROWS, facts, link, notice, pager, table, time } from '../parts/parts.ts'
import { type Answer, freshly, type Handler, may, type Visit } from '../visit.ts'
import { deed, type Question } from './asking.ts'

const revokePath = (tokenId: string): string => `/tokens/${encodeURIComponent(tokenId)}/revoke`

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { tokens: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listTokens.execute({ cursor, limit: FULL_ROWS }, caller)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>
${actions([may(visit, 'tokens:issue') && link('/tokens/-/new', texts.issue)])}
${table(
  texts.title,
  [
    { head: texts.subject, cell: ({ subject }) => subject },
    { head: texts.label, cell: ({ label }) => label },
    { head: texts.roles, cell: ({ roles }) => roles.join(', ') },
    { head: texts.feeds, cell: ({ feeds }) => feeds?.join(', ') },
    { head: texts.issued, cell: ({ issuedAt, issuedBy }) => html`${time(issuedAt)} ${issuedBy}` },
    { head: texts.used, cell: ({ lastUsedAt }) => time(lastUsedAt) },
    { head: texts.expires, cell: ({ expiresAt }) => time(expiresAt) },
    {
      head: texts.state,
      cell: ({ tokenId, revokedAt }) => {
        if (revokedAt !== undefined) return html`${badge('off', texts.revoked)} ${time(revokedAt)}`
        return may(visit, 'tokens:revoke')
          ? link(revokePath(tokenId), html`${texts.revoke} ${code(tokenId)}`)
          : code(tokenId)
      },
    },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

/** In seconds, each under its own text. */
const LIFETIMES = ['3600', '86400', '604800', '2592000', '7776000', '31536000'] as const

const issuing = ({ options, form }: Visit): Question => {
  const { tokens: texts } = options.texts
  const lifetimes = Object.fromEntries(LIFETIMES.map((seconds) => [seconds, texts.lifetimes[seconds]]))
  return {
    title: texts.issue,
    about: texts.issueAbout,
    refusals: { FeedNotFound: 'feed', UserDeleted: 'subject', UserSuspended: 'subject' },
    button: texts.issue,
    back: '/tokens',
    fields: (problems) => html`${field('subject', texts.subject, {
      value: form.text('subject'),
      hint: texts.subjectHint,
      required: true,
      problems,
    })}
${ticks('role', texts.roles, options.useCases.access.table.roles, (role) => form.all('role[]').includes(role), problems)}
${field('feed', texts.feeds, { value: form.text('feed'), hint: texts.feedsHint, problems })}
${field('label', texts.label, { value: form.text('label'), hint: texts.labelHint, problems })}
${select('ttl', texts.lifetime, lifetimes, form.text('ttl') || LIFETIMES[0])}`,
  }
}

/** The one time that a token is shown. */
const issue = async ({ options, caller, form }: Visit): Promise<Answer> => {
  const { tokens: texts } = options.texts
  const feeds = form
    .text('feed')
    .split(/[\s,]+/)
    .filter(Boolean)
  const { token, tokenId } = await options.useCases.issueToken.execute(
    {
      subject: form.text('subject').trim(),
      roles: form.all('role[]'),
      lifetime: Number(form.text('ttl')),
      feeds: feeds.length === 0 ? undefined : feeds,
      label: form.text('label').trim() || undefined,
    },
    caller,
  )
  const content = html`${notice('hint', texts.once)}<pre><code>${token}</code></pre>
${facts([[texts.id, code(tokenId)]])}<p>${link('/tokens', texts.title)}</p>`
  return { page: { title: texts.issuedTitle, content } }
}

const question = ({ options, params }: Visit): Question => {
  const { tokens: texts } = options.texts
  const about = html`<p>${texts.revokeAbout}</p>${facts([[texts.id, params.id]])}`
  return { title: texts.revoke, of: params.id ?? '', about, button: texts.revoke, kind: 'grave', back: '/tokens' }
}

const revoke = async ({ options, caller, params }: Visit): Promise<Answer> => {
  await options.useCases.revokeToken.execute({ tokenId: params.id ?? '' }, caller)
  return { to: '/tokens?done=revoked' }
}

export const tokenScreens: Readonly<Record<string, Handler>> = {
  'GET /tokens': list,
  ...deed('/tokens/-/new', IssueTokenUseCase, { question: issuing, work: issue, around: freshly }),
  ...deed('/tokens/{id}/revoke', RevokeTokenUseCase, { question, work: revoke }),
}
