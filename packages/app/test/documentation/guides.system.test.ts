import { describe, expect, it } from 'vitest'
import { EventReceiver } from '../event-receiver.ts'
import { freePort } from '../free-port.ts'
import { IdentityProvider } from '../identity-provider.ts'
import { MailSink } from '../mail-sink.ts'
import { PROVIDER_TOKENS } from '../provider-tokens.ts'
import { type Block, blocksOf, read, stepsOf } from './blocks.ts'
import { expectFollowed, type Followed, following, mailIsWritten } from './following.ts'
import { FOLLOWED_BY } from './pages.ts'
import { contentOf, Reader } from './reader.ts'

const FROM_THE_CLONE = { notYetServed: true, before: { 'mail show': mailIsWritten } }

const FOLLOWED: Readonly<Record<string, Followed>> = {
  'README.md': following(FROM_THE_CLONE, async ({ home }) => {
    const { items } = JSON.parse((await home.run('subscription', 'list', '--json')).stdout)
    expect(items).toContainEqual(expect.objectContaining({ email: 'ada@example.com', status: 'confirmed' }))
  }),
  'docs/start.md': following(FROM_THE_CLONE),
  'docs/README.md': following(FROM_THE_CLONE),
  'docs/guides/embed-a-form.md': following({}, async (reader) => {
    const form = await contentOf(reader, 'form.html')
    expect(form).toContain(`action="${reader.home.url}/subscribe"`)
    expect(form).toContain('value="https://www.example.com/thanks"')
  }),
  'docs/guides/scim.md': following({}),
  'docs/guides/monitor.md': async (page) =>
    await following({ substitutes: { '9100': String(await freePort()) } })(page),
  'docs/guides/send-mail.md': async (page) => {
    await using sink = await MailSink.open()
    const executed = await following({ substitutes: { 'smtps://user:password@smtp.example.com': sink.url } })(page)
    expect(sink.mails.map(({ to }) => to)).toEqual(['ops@example.com'])
    return executed
  },
  'docs/guides/webhooks.md': async (page) => {
    await using receiver = await EventReceiver.open()
    const substitutes = { 'https://shop.example.com/events': receiver.url }
    return await following({ substitutes })(page)
  },
  'docs/guides/work-from-another-machine.md': async (page) => {
    await using reader = await Reader.open()
    reader.substitute('https://news.example.com', reader.home.url)
    await reader.follow(page)
    return reader.executed
  },
  'docs/guides/identity-providers.md': async (page) => {
    const settings = blocksOf(page).filter(({ file }) => file === '.env')
    let executed: readonly Block[] = []
    for (const [at, { claims }] of Object.values(PROVIDER_TOKENS).entries())
      executed = await withProvider(page, settings[at]?.code ?? '', claims)
    return executed
  },
}

/** The page, with the settings of one of its providers; a real one stands at its address. */
const withProvider = async (
  page: string,
  settings: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<readonly Block[]> => {
  const setting = (name: string) => new RegExp(`^ROLLCALL_AUTH_${name}=(.*)$`, 'm').exec(settings)?.[1] ?? ''
  await using provider = await IdentityProvider.start()
  provider.claimsOfRoot = claims
  const audience = setting('AUDIENCE')
  // This provider has clients of its own.
  const client = setting('AUDIENCE_CLAIM') === '' ? {} : { [audience]: 'root' }
  await using reader = await Reader.open({ substitutes: { [setting('ISSUER')]: provider.issuer, ...client } })
  await reader.write('token.jwt', await provider.token('root', audience))
  await reader.serve()
  for (const step of stepsOf(page)) if (step.file === undefined || step.code === settings) await reader.take(step)
  return reader.executed
}

describe.skipIf(process.platform === 'win32')('does what the page says, and gets what it shows', () => {
  it.each(FOLLOWED_BY.guides)('%s', async (page) => {
    await expectFollowed(page, FOLLOWED[page])
  })
})

describe.skipIf(process.platform === 'win32')('follows the start after the README, in the same folder', () => {
  it.each(['npm ci', 'curl -i'])('from the block with `%s`', async (text) => {
    await using reader = await Reader.open(FROM_THE_CLONE)
    await reader.follow('README.md')
    const steps = stepsOf('docs/start.md')
    const from = steps.findIndex(({ code }) => code.includes(text))
    expect(from).toBeGreaterThanOrEqual(0)
    for (const step of steps.slice(from)) await reader.take(step)
  })
})

it('needs four lines from nothing to a confirmed subscription, in the README as in the start', () => {
  const [readme = [], start = []] = ['README.md', 'docs/start.md'].map((page) =>
    stepsOf(page)
      .slice(0, 2)
      .flatMap(({ code }) => code.trimEnd().split('\n')),
  )
  expect(readme).toHaveLength(4)
  const { url } = JSON.parse(read('package.json')).repository
  const repository = url.replace('git+', '')
  expect(readme[0]).toBe(`git clone ${repository} && cd rollcall && npm ci && npm start`)
  expect(read('README.md')).toContain(`docker build --tag rollcall ${repository}\n`)
  // Another person: pages that are followed on one folder must not share one.
  const ofGrace = (line: string) => line.replaceAll('Ada', 'Grace').replaceAll('ada', 'grace')
  expect(start).toEqual(readme.map(ofGrace))
  expect(JSON.parse(read('package.json')).scripts.start).toBe('rollcall serve')
})

it.skipIf(process.platform === 'win32')(
  'is content neither with another answer nor with a command that fails',
  async () => {
    await using reader = await Reader.open()
    const step = { page: 'a page', line: 1, language: 'sh', file: undefined, code: 'echo one\n', answers: ['o…\n'] }
    await reader.take(step)
    await expect(reader.take({ ...step, answers: ['two\n'] })).rejects.toThrow('a page:1: what is printed')
    await expect(reader.take({ ...step, code: 'echo one\nfalse\n' })).rejects.toThrow('a page:1: exit code 1')
  },
)
