import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { FeedInUse, InvalidInput, type PutFeedCommand, wordingOf } from '../src/index.ts'
import { ADMIN, consentsOf, subscribe } from './cast.ts'

const put = async (fields: Partial<PutFeedCommand> = {}, at = openMemoryService()) =>
  (await at.useCases.putFeed.execute({ name: 'news', ...fields }, ADMIN)).feed
const problemsOf = async (fields: Partial<PutFeedCommand>) => {
  const error = await put(fields).catch((refusal: unknown) => refusal)
  expect(error, JSON.stringify(fields)).toBeInstanceOf(InvalidInput)
  return (error as InvalidInput).details.map(({ field }) => field)
}

describe('the sender of a feed, and where answers go', () => {
  it.each([
    ['news@example.com', '', 'news@example.com'],
    [' news@example.com ', '', 'news@example.com'],
    ['News <news@example.com>', 'News', 'news@example.com'],
    ['  The  News  < News@Example.COM > ', 'The  News', 'News@example.com'],
    ['<news@example.com>', '', 'news@example.com'],
    ['Größe, Inc. (Köln) <post@BÜCHER.example>', 'Größe, Inc. (Köln)', 'post@xn--bcher-kva.example'],
    ["O'Brien & Söhne; 'quoted' <a@b.example>", "O'Brien & Söhne; 'quoted'", 'a@b.example'],
  ])('reads %j', async (sender, name, address) => {
    expect(await put({ sender, replyTo: sender })).toMatchObject({
      sender: { name, address },
      replyTo: { name, address },
    })
  })

  it.each([undefined, ''])('is the service itself if %j is given', async (sender) => {
    const at = openMemoryService()
    await put({ sender: 'news@example.com' }, at)
    expect((await put({ sender }, at)).sender).toBeUndefined()
  })

  it.each([
    'News',
    '"News" <news@example.com>',
    'News <news@example.com',
    'News news@example.com>',
    'News <<news@example.com>>',
    'a@b.example <c@d.example> e',
    'News <news@example.com>, Other <other@example.com>',
    'a@example.com, b@example.com',
    'News <news>',
    'News <>',
    'News\r\nBcc: all@example.com <news@example.com>',
    'News\u0000 <news@example.com>',
    'News <news@example.com>\n',
    'News \ud800 <news@example.com>',
    'News <news@exa mple.com>',
    `${'x'.repeat(500)} <news@example.com>`,
    ' ',
  ])('cannot be %j', async (sender) => {
    expect(await problemsOf({ sender, replyTo: sender })).toEqual(['sender', 'reply_to'])
  })
})

describe('the URLs of a feed', () => {
  it.each([
    ...['https://example.com', 'https://example.com/', 'HTTPS://Example.COM/Thanks', 'https://example.com?x=1&y=a/b?c'],
    ...["https://example.com:8443/a/b;c=1,2/~x/$&'()*+=:@!/%C3%A9", 'https://a_b.example.com/'],
    ...['https://xn--bcher-kva.example/', 'https://192.0.2.1/', 'https://[2001:db8::1]:8443/x'],
    ...['https://[::ffff:192.0.2.1]/', 'http://localhost:3000/done', 'http://app.localhost/'],
    ...['http://127.0.0.1:8080/x?y', 'http://[::1]/', `https://example.com/${'x'.repeat(1_980)}`],
  ])('are kept exactly as given: %s', async (url) => {
    const feed = await put({ returnUrls: [url], confirmedUrl: url, homeUrl: url })
    expect([feed.returnUrls, feed.confirmedUrl, feed.homeUrl]).toEqual([[url], url, url])
  })

  it.each([
    ...[' https://example.com/', 'https://example.com/ ', 'https://example.com/\n', 'java\tscript:alert(1)'],
    ...['javascript:alert(1)//https://example.com', 'data:text/html,x', 'ftp://example.com/', '//example.com/'],
    ...['/thanks', 'example.com', 'https:example.com', 'https:/example.com', 'https:///example.com'],
    ...['https:\\\\example.com', 'https://example.com\\@evil.example/', 'https://user@example.com/'],
    ...['https://user:secret@example.com/', 'https://@example.com/', 'https://example.com/#done'],
    ...['https://example.com#', 'https://', 'https://:443/', 'https://example.com:/', 'https://example.com:0/'],
    ...['https://example.com:65536/', 'https://example.com:80443/x', 'https://example.com:8x/'],
    ...['https://exam ple.com/', 'https://example..com/', 'https://.example.com/', 'https://example.com./'],
    ...['https://-example.com/', 'https://example-.com/', `https://${'x'.repeat(64)}.com/`],
    ...[`https://${'x.'.repeat(130)}com/`, 'https://ex%61mple.com/', 'https://bücher.example/'],
    ...['https://ｅxample.com/', 'https://xn--a.example/', 'https://127.1/', 'https://0x7f.0.0.1/'],
    ...['https://0x7f000001/', 'https://2130706433/', 'https://127.0.0.01/'],
    ...['https://192.0.2.256/', 'https://1.2.3.4.5/'],
    ...['https://example.0x1/', 'https://[::1/', 'https://::1/', 'https://[:1]/', 'https://[1::2::3]/'],
    ...['https://[1:2:3:4:5:6:7]/', 'https://[1:2:3:4:5:6:7:8:9]/', 'https://[1:2:3:4:5:6:7::8]/'],
    ...['https://[12345::]/', 'https://[::1%25eth0]/', 'https://[::192.0.2.256]/', 'https://[v1.x]/'],
    ...['https://example.com/a b', 'https://example.com/"><script>', 'https://example.com/%'],
    ...['https://example.com/%zz', 'https://example.com/é', 'https://example.com/\r\nSet-Cookie: a=b'],
    ...['https://example.com/\u0000', 'http://example.com/', 'http://127.0.0.1.example.com/'],
    ...['http://localhost.example.com/', 'http://notlocalhost/', 'http://[::2]/', 'http://10.0.0.1/'],
    `https://example.com/${'x'.repeat(1_981)}`,
  ])('cannot be %j', async (url) => {
    expect(await problemsOf({ returnUrls: ['https://example.com/', url] })).toEqual(['return_urls'])
    expect(await problemsOf({ confirmedUrl: url })).toEqual(['confirmed_url'])
    expect(await problemsOf({ homeUrl: url })).toEqual(['home_url'])
  })

  it('are at most ten, each once, in their order; and none where none are given', async () => {
    const urls = Array.from({ length: 10 }, (_, n) => `https://example.com/${9 - n}`)
    expect((await put({ returnUrls: [...urls, ...urls] })).returnUrls).toEqual(urls)
    expect(await problemsOf({ returnUrls: [...urls, 'https://example.com/10'] })).toEqual(['return_urls'])
    const at = openMemoryService()
    await put({ returnUrls: urls, confirmedUrl: 'https://example.com/', homeUrl: 'https://example.com/' }, at)
    expect(await put({ confirmedUrl: '' }, at)).toMatchObject({
      returnUrls: [],
      confirmedUrl: undefined,
      homeUrl: undefined,
    })
  })

  it('take no time to speak of, whatever is sent', async () => {
    for (const hostile of [
      `https://${'a.'.repeat(990)}`,
      `https://[${':'.repeat(1_900)}`,
      `https://a/${'%'.repeat(1_900)}`,
    ])
      expect(await problemsOf({ confirmedUrl: hostile })).toEqual(['confirmed_url'])
  })
})

describe('the wording of a feed', () => {
  const texts = async (at = openMemoryService(), ...wordings: (string | undefined)[]) => {
    for (const wording of wordings) {
      at.clock.advance(1)
      await put({ wording }, at)
    }
    return (await put({}, at)).wordings
  }

  it('has a version for every change, and none for the same again or for nothing said', async () => {
    const at = openMemoryService()
    const begun = at.clock.now()
    expect(await texts(at, undefined, '', 'One', 'One', undefined, 'Two', '', '', ' \r\n', 'Two')).toEqual([
      { version: 1, text: 'One', since: begun + 3 },
      { version: 2, text: 'Two', since: begun + 6 },
      { version: 3, text: '', since: begun + 7 },
      { version: 4, text: 'Two', since: begun + 10 },
    ])
  })

  it('has line breaks, and the kind of break makes no other text', async () => {
    expect(await texts(undefined, 'One\r\ntwo', 'One\ntwo', 'One\rtwo')).toMatchObject([
      { version: 1, text: 'One\ntwo' },
    ])
  })

  it('cannot be too long, or hold other control characters', async () => {
    expect((await put({ wording: '\n'.repeat(1_000) + '字'.repeat(1_000) })).wordings).toHaveLength(1)
    for (const wording of ['x'.repeat(2_001), 'a\tb', 'a\u0000b', '\u001b[31m', '\ud800'])
      expect(await problemsOf({ wording })).toEqual(['wording'])
  })

  it('is named in the ledger by its version, and by the service’s own once it is empty', async () => {
    const at = openMemoryService()
    const wordings: string[] = []
    for (const wording of ['One', 'Two', '']) {
      const feed = await put({ wording }, at)
      const { id } = await subscribe(at, `${wording || 'none'}@example.com`, { feed: 'news' })
      wordings.push((await consentsOf(at, id))[0]!.wording)
      expect(wordingOf(feed)).toBe(wordings.at(-1))
    }
    expect(wordings).toEqual(['news/1', 'news/2', 'double-opt-in/1'])
  })
})

describe('putting a feed', () => {
  it('closes and opens it: open where nothing is said', async () => {
    const at = openMemoryService()
    expect((await put({ open: false }, at)).open).toBe(false)
    await expect(subscribe(at, 'a@example.com', { feed: 'news' })).rejects.toThrow("Correct 'feed'")
    expect((await put({}, at)).open).toBe(true)
    await subscribe(at, 'a@example.com', { feed: 'news' })
  })

  it('reports every field that is wrong at once, and stores nothing then', async () => {
    const at = openMemoryService()
    const all = { title: 'x'.repeat(201), sender: 'x', wording: '\u0000', returnUrls: ['x'], confirmedUrl: 'x' }
    await expect(put(all, at)).rejects.toThrow(
      "Correct 'title', 'sender', 'return_urls', 'confirmed_url', 'wording' and send it again.",
    )
    await expect(at.useCases.getFeed.execute({ name: 'news' }, ADMIN)).rejects.toThrow('There is no such feed')
  })

  it('is refused while it is being deleted', async () => {
    const at = openMemoryService()
    const feed = await put({}, at)
    await at.storage.unitOfWork.run(({ feeds }) => feeds.put({ ...feed, deletingSince: 1 }))
    await expect(put({}, at)).rejects.toBeInstanceOf(FeedInUse)
  })
})
