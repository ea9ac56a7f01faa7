import {
  type AddressHash,
  type Deliverability,
  HOUR,
  operator,
  type WaitingFeedback,
  WebhookRefused,
  withAnswer,
} from '@rollcall/core'
import type { ConsoleOptions } from '../../src/index.ts'
import { type OpenConsole, openConsole } from './open-console.ts'

const OPS = operator('ops')
const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

const DOCUMENT = '<!DOCTYPE html><html lang="en"><title>x</title><p style="color: navy">Press the button.</p></html>'

const PREVIEWS: ConsoleOptions['previews'] = {
  mails: {
    languages: ['de', 'en'],
    show: async ({ title }, language, kind) => ({
      subject: `${kind}: ${title} (${language})`,
      text: 'Press the button.',
      html: DOCUMENT,
    }),
  },
  forms: {
    languages: ['de', 'en'],
    show: async ({ face }, language, page, logo) =>
      DOCUMENT.replace(
        'Press',
        `${[page, language, face.accent, face.words?.[language]?.sign_up_text, logo?.type].join()} Press`,
      ),
  },
  embedded: ({ name }) => `<form method="post"><input name="feed" value="${name}"></form>`,
}

const addressOf = (digit: string) => digit.repeat(32) as AddressHash

const feedbackOf = (digit: string): WaitingFeedback => ({
  ...{ caller: 'mailer', channel: 'http', feeds: undefined, kind: 'bounce', subscription: undefined },
  ...{ address: addressOf(digit), mailbox: addressOf(digit), permanent: true, status: '5.1.1', at: 1, since: 1 },
})

const UNDELIVERABLE: Deliverability = {
  ...{ state: 'undeliverable', since: 1, status: '5.1.1', days: [], subscription: undefined },
  expiresAt: Number.MAX_SAFE_INTEGER,
}

/** Every screen by its path, with the status that it has. */
export interface FilledConsole extends OpenConsole {
  readonly screens: Readonly<Record<string, number>>
}

/** A console of a service in which something of everything is stored. */
export const filledConsole = async (
  settings: Partial<ConsoleOptions> = {},
  ofCore: Parameters<typeof openConsole>[1] = {},
  /** What happened before. */
  before: (at: OpenConsole) => Promise<void> = async () => undefined,
): Promise<FilledConsole> => {
  const watch = { shows: 0, pace: 0 }
  const now = () => {
    watch.shows += watch.pace
    return watch.shows
  }
  const at = await openConsole({ previews: PREVIEWS, now, ...settings }, { deleteGrace: HOUR, ...ofCore })
  const { useCases } = at
  await before(at)
  const subscribe = async (email: string, feed = 'default') => {
    const { id } = await useCases.subscribe.execute({ email, name: 'Ada', feed, source: SOURCE })
    return id
  }
  const putUser = (userId: string, roles: readonly string[] = []) =>
    useCases.putUser.execute({ userId, email: `${userId}@example.com`, name: `The ${userId}`, roles }, OPS)
  for (const [id, ...roles] of [['root', 'admin'], ['eve', 'auditor'], ['ada'], ['gone'], ['held']])
    await putUser(id ?? '', roles)
  const fields = [{ name: 'company', type: 'text', label: { en: 'Company' } }]
  const weekly = { name: 'weekly', title: 'The weekly letter', wording: 'Yes, please.', remindAfter: '2d', fields }
  await useCases.putFeed.execute(weekly, OPS)
  const subscription = await subscribe('ada@example.com')
  await subscribe('ada@example.com', 'weekly')
  const refused = await subscribe('bob@example.com')
  await useCases.deliverOutbox.execute({ limit: 10 })
  const link = at.transport.mails.findLast(({ to }) => to === 'bob@example.com')?.links.refuse ?? ''
  await useCases.refuseSubscription.execute({ token: link.slice(link.lastIndexOf('/') + 1), source: SOURCE })
  const hash = (await useCases.listSuppressions.execute({}, OPS)).items[0]?.address ?? ''
  await useCases.putWebhook.execute({ name: 'shop', url: 'https://shop.example.com/events' }, OPS)
  await useCases.deleteUser.execute({ userId: 'held', reason: 'left' }, OPS)
  await useCases.issueToken.execute({ subject: 'mailer', roles: ['sender'], lifetime: 3_600, label: 'news' }, OPS)
  await subscribe('cyd@example.com')
  await at.storage.unitOfWork.run(async (stores) => {
    const [mail] = await stores.outbox.claim({ owner: 'relay', limit: 1, leaseFor: HOUR })
    const parked = { id: mail?.id ?? 0, notBefore: undefined, attempted: true, error: '550 no such mailbox' }
    await stores.outbox.giveBack('relay', [parked])
    await stores.feedback.add(feedbackOf('c'))
    await stores.feedback.add(feedbackOf('d'))
    await stores.deliverability.put(addressOf('e'), UNDELIVERABLE)
  })
  at.webhookTransport.otherSide = async () => ({ status: 202, head: '{"taken":true}' })
  await useCases.testWebhook.execute({ name: 'shop' }, OPS)
  at.webhookTransport.otherSide = async () => {
    throw withAnswer(new WebhookRefused('The target answered 503.', { status: 503 }), {
      status: 503,
      head: 'Try later.',
    })
  }
  await useCases.testWebhook.execute({ name: 'shop' }, OPS)
  at.webhookTransport.otherSide = async () => undefined
  const console = { ...OPS, channel: 'console' } as const
  const rows = ['ada', 'missing', 'held', 'not an id'].map((userId, n) => ({ line: n + 1, userId }))
  const planned = await useCases.planDeletions.execute({ rows, reason: 'left' }, console)
  await useCases.continueDeletions.execute({ id: planned.id }, console)
  const begun = await useCases.planDeletions.execute({ rows: [{ line: 1, userId: 'gone' }] }, console)
  const browser = await at.loggedIn()
  const verified = await browser.post('/audit/verify')
  // From here on, each piece takes all the time that a request has.
  watch.pace = 5_000
  const verifying = await browser.post('/audit/verify')
  const file = new File(['id,email\nlater,later@example.com\nwrong,none\n'], 'users.csv')
  const looked = await browser.upload('/transfer/import', { what: 'users', format: 'csv' }, file)
  await browser.post('/logout')
  const paths = [
    '/',
    '/health',
    '/outbox',
    '/outbox?show=parked',
    '/outbox/events',
    '/outbox/events?webhook=shop',
    '/users',
    '/users?role=admin',
    '/users?done=saved',
    '/users/-/new',
    '/users/-/held',
    '/users/ada',
    '/users/ada/edit',
    '/users/ada/delete',
    '/users/root/delete',
    '/users/held/restore',
    '/deletions',
    `/deletions/${planned.id}`,
    `/deletions/${planned.id}?show=refused`,
    `/deletions/${begun.id}`,
    '/subscriptions',
    '/subscriptions?feed=weekly&status=pending',
    `/subscriptions/${subscription}`,
    `/subscriptions/${refused}`,
    `/subscriptions/${subscription}/confirm`,
    `/subscriptions/${subscription}/end`,
    `/subscriptions/${subscription}/erase`,
    '/suppressions',
    '/suppressions/-/check',
    `/suppressions/${hash}/lift`,
    `/addresses/${hash}`,
    '/feeds',
    '/feeds/-/new',
    '/feeds/weekly',
    '/feeds/weekly/edit',
    '/feeds/weekly/face',
    '/feeds/weekly/face?lang=de&done=saved',
    '/feeds/weekly/delete',
    '/feeds/weekly/mail?lang=de',
    '/feeds/weekly/mail?lang=de&kind=reminder',
    '/transfer',
    looked.headers.location ?? '',
    '/webhooks',
    '/webhooks/-/new',
    '/webhooks/shop',
    '/webhooks/shop/edit',
    '/webhooks/shop/rotate',
    '/webhooks/shop/delete',
    '/audit',
    '/audit?action=user.put&actor=operator%3Aops',
    '/audit?action=user.restore',
    verified.headers.location ?? '',
    verifying.headers.location ?? '',
    '/sessions',
    '/tokens',
    '/tokens/one/revoke',
    '/tokens/-/new',
    '/feeds/weekly/stop',
    '/feeds/weekly/start',
    '/feeds/weekly/embed',
    '/feedback',
    '/undeliverable',
    `/addresses/${addressOf('e')}`,
    '/users/ada/suspend',
    '/users/ada/resume',
  ]
  const others = {
    '/audit?action=nothing': 422,
    '/users/held': 410,
    '/users/missing': 404,
    '/nothing': 404,
    '/deletions/missing': 404,
  }
  return { ...at, screens: { ...Object.fromEntries(paths.map((path) => [path, 200])), ...others } }
}
