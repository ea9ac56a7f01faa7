import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { openTestCli } from './terminal.ts'

describe('rollcall feed put', () => {
  const { write } = temporaryFolder()

  it('stores every field', async () => {
    const { run } = openTestCli()
    const file = await write('wording.txt', 'Yes,\r\nplease.\n')
    const argv = ['feed', 'put', 'news', '--sender', 'News <news@example.com>', '--wording-file', file, '--closed']
    const urls = ['--return-url', 'https://a.example/', '--return-url', 'https://b.example/']
    const pages = ['--confirmed-url', 'https://a.example/ok', '--home-url', 'https://a.example/']
    const { stdout } = await run([...argv, ...urls, ...pages, '--json'])
    expect(JSON.parse(stdout).feed).toMatchObject({
      sender: 'News <news@example.com>',
      wordings: [{ version: 1, text: 'Yes,\nplease.' }],
      return_urls: ['https://a.example/', 'https://b.example/'],
      confirmed_url: 'https://a.example/ok',
      home_url: 'https://a.example/',
      open: false,
    })
    expect((await run(['feed', 'list'])).stdout).toMatch(/^news +news +closed +0 +2026/m)
    await run(['feed', 'put', 'news', '--wording', ''])
    expect(JSON.parse((await run(['feed', 'list', '--json'])).stdout).items[1]).toMatchObject({
      ...{ sender: null, return_urls: [], open: true },
      wordings: [{ version: 1 }, { version: 2, text: '' }],
    })
  })

  it('declares the fields of a file, keeps them without one, and erases values only where it is said', async () => {
    const { run, useCases } = openTestCli()
    const company = { name: 'company', type: 'text', label: { en: 'Company' }, required: true }
    const file = await write('fields.json', JSON.stringify([company]))
    const { stdout } = await run(['feed', 'put', 'news', '--fields', file, '--json'])
    const field = { ...company, max: null, choices: [], public: false }
    expect(JSON.parse(stdout).feed.fields).toEqual([field])
    await run(['feed', 'set', 'news', '--title', 'News'])
    expect((await run(['feed', 'show', 'news'])).stdout).toMatch(/^Fields +company \(text, required\)$/m)
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    await useCases.subscribe.execute({ email: 'a@example.com', feed: 'news', fields: { company: 'ACME' }, source })
    const none = await write('none.json', '[]')
    const refused = await run(['feed', 'set', 'news', '--fields', none])
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(
        /^error: These fields have values: company\..* The option '--erase-fields' has them erased\.\n$/,
      ),
    })
    const erasing = ['--fields', none, '--erase-fields', '--yes', '--json']
    const put = await run(['feed', 'put', 'news', '--title', 'News', ...erasing])
    expect(JSON.parse(put.stdout).feed.fields).toEqual([])
    expect((await run(['subscription', 'list', '--json'])).stdout).not.toContain('ACME')
    for (const content of ['{}', '[', '']) {
      const wrong = await run(['feed', 'set', 'news', '--fields', await write('wrong.json', content)])
      expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must hold a JSON array of fields') })
    }
  })

  it('exits 2 and says why for a file that it cannot read, and for both a wording and a file', async () => {
    const { run } = openTestCli()
    const large = await write('large.txt', 'ä'.repeat(40_000))
    const latin = await write('latin.txt', Buffer.from([0xe4]))
    for (const [file, why] of [
      [latin, 'It is not UTF-8.'],
      [large, 'It has more than 64 KiB.'],
    ] as const)
      expect(await run(['feed', 'put', 'x', '--wording-file', file])).toMatchObject({
        exitCode: 2,
        stderr: `error: Cannot read '${file}'. ${why}\n`,
      })
    const both = await run(['feed', 'put', 'x', '--wording', 'a', '--wording-file', latin])
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be used with') })
  })

  it('exits 2 and names the field that is not valid', async () => {
    const { run } = openTestCli()
    for (const [option, value, field] of [
      ['--sender', 'News', 'sender'],
      ['--return-url', 'http://a.example/', 'return_urls'],
      ['--confirmed-url', 'x', 'confirmed_url'],
      ['--home-url', 'x', 'home_url'],
    ] as const) {
      const { exitCode, stderr } = await run(['feed', 'put', 'x', option, value])
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(new RegExp(`^error: '${field}': `))
    }
  })
})

describe('rollcall feed show', () => {
  it('shows every field, and the wording as it is, harmless to a terminal', async () => {
    const { run } = openTestCli()
    const urls = ['--return-url', 'https://a.example/', '--return-url', 'https://b.example/']
    const more = ['--sender', 'News <news@example.com>', '--confirmed-url', 'https://a.example/ok', '--closed']
    await run(['feed', 'put', 'news', '--wording', 'No.'])
    await run(['feed', 'put', 'news', '--title', 'The news', '--wording', 'Yes,\n\u202eplease.', ...urls, ...more])
    const { exitCode, stdout, stderr } = await run(['feed', 'show', 'news'])
    expect([exitCode, stderr]).toEqual([0, ''])
    const at = /2026-\d\d-\d\dT[\d:]+Z/g
    expect(stdout.replace(at, 'NOW').split('\n')).toEqual([
      'Name           news',
      'Title          The news',
      'Description',
      'Language',
      'Sender         News <news@example.com>',
      'Answers to',
      'Confirmed URL  https://a.example/ok',
      'Home URL',
      'Reminder',
      'Return URLs    https://a.example/',
      '               https://b.example/',
      'State          closed',
      'Created        NOW',
      'Updated        NOW',
      'Wording        version 2, since NOW:',
      '',
      'Yes,',
      '\\u202eplease.',
      '',
    ])
    const shown = JSON.parse((await run(['feed', 'show', 'news', '--json'])).stdout)
    expect({ ...shown, total: 0 }).toEqual(JSON.parse((await run(['feed', 'list', '--json'])).stdout).items[1])
  })

  it('shows a feed without a wording of its own, and exits 3 for none', async () => {
    const { run } = openTestCli()
    expect((await run(['feed', 'show', 'default'])).stdout).toMatch(/^Wording +the service's own\n$/m)
    expect(await run(['feed', 'show', 'none', '--json'])).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('FeedNotFound'),
    })
  })
})

describe('rollcall feed delete', () => {
  const QUESTION = 'Delete this feed permanently?'
  const withNews = async (subscriptions: number) => {
    const cli = openTestCli()
    await cli.run(['feed', 'put', 'news', '--title', 'The news'])
    for (let n = 1; n <= subscriptions; n++) await cli.subscribe(`s${n}@example.com`, 'news')
    const feeds = async () =>
      JSON.parse((await cli.run(['feed', 'list', '--json'])).stdout).items.map(({ name }: { name: string }) => name)
    return { ...cli, feeds }
  }

  it('asks once, and deletes after a yes', async () => {
    const { run, feeds } = await withNews(3)
    const argv = ['feed', 'delete', 'news', '--subscriptions', 'erase']
    const no = await run(argv, { answers: [[QUESTION, 'n\r']] })
    expect([no.exitCode, await feeds()]).toEqual([3, ['default', 'news']])
    const yes = await run(argv, { answers: [[QUESTION, 'y\r']] })
    expect(yes.stderr).toContain('Feed news: The news. All its subscriptions are erased, too.\n')
    expect([yes.exitCode, yes.stdout]).toEqual([0, 'Deleted feed news. 3 subscriptions erased.\n'])
    expect(await feeds()).toEqual(['default'])
  })

  it('is refused for one with subscriptions, for the default, and for none, with exit code 3', async () => {
    const { run, feeds } = await withNews(1)
    for (const [name, error] of [
      ['news', 'FeedInUse'],
      ['default', 'FeedInUse'],
      ['none', 'FeedNotFound'],
    ] as const) {
      const { exitCode, stderr } = await run(['feed', 'delete', name, '--yes', '--json'])
      expect([exitCode, JSON.parse(stderr).error]).toEqual([3, error])
    }
    expect(await feeds()).toEqual(['default', 'news'])
  })

  it('exits 2 without a terminal', async () => {
    const { run, feeds } = await withNews(0)
    expect((await run(['feed', 'delete', 'news'])).exitCode).toBe(2)
    expect(await feeds()).toEqual(['default', 'news'])
  })

  it('can be stopped and run again, and says in the list that it is on its way', async () => {
    const { run, feeds } = await withNews(120)
    const argv = ['feed', 'delete', 'news', '--subscriptions', 'erase', '--yes']
    const stopped = await run(argv, { signal: AbortSignal.abort() })
    expect(stopped).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: 'error: Interrupted. Run the same command again to finish.\n',
    })
    // What was begun goes on where the service stays; the list says so meanwhile.
    const state = (await run(['feed', 'list'])).stdout
    expect(state).not.toMatch(/^news +The news +open/m)
    expect((await run([...argv, '--json'])).exitCode).toBe(state.includes('being deleted') ? 0 : 3)
    expect(await feeds()).toEqual(['default'])
  })
})
