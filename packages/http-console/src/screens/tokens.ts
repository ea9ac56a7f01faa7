import { html } from '@rollcall/platform-node'
import { doneNotice, facts, link, pager, table, time } from '../parts/parts.ts'
import { type Handler, may, only, type Visit } from '../visit.ts'
import { answered, ask, type Question } from './asking.ts'

const revokePath = (tokenId: string): string => `/tokens/${encodeURIComponent(tokenId)}/revoke`

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { tokens: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listTokens.execute({ cursor }, caller)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>
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
        if (revokedAt !== undefined) return html`${texts.revoked} ${time(revokedAt)}`
        return may(visit, 'tokens:revoke') ? link(revokePath(tokenId), html`${texts.revoke} ${tokenId}`) : tokenId
      },
    },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const question = ({ options, params }: Visit): Question => {
  const { tokens: texts } = options.texts
  const about = html`<p>${texts.revokeAbout}</p>${facts([[texts.id, params.id]])}`
  return { title: texts.revoke, about, button: texts.revoke, kind: 'grave', back: '/tokens' }
}

const revoke: Handler = async (visit) =>
  await answered(visit, question(visit), async () => {
    await visit.options.useCases.revokeToken.execute({ tokenId: visit.params.id ?? '' }, visit.caller)
    return { to: '/tokens?done=revoked' }
  })

export const tokenScreens: Readonly<Record<string, Handler>> = {
  'GET /tokens': list,
  'GET /tokens/{id}/revoke': only('tokens:revoke', async (visit) => ask(visit, question(visit))),
  'POST /tokens/{id}/revoke': revoke,
}
