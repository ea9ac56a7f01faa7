import { expect, it } from 'vitest'
import { type Feed, type FeedLogo, type FeedReader, LARGEST_LOGO, type LogoType } from '../src/index.ts'
import { aFeed, aField, feedName, stretchesOf, TEXTS, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const logo = (type: LogoType, content: string): FeedLogo => ({ type, content })

export const feedStoreContract = storageSuite('a feed store', (storage) => {
  const { run, runEach, alike, undone, readers, another } = storage
  const find = (name: string) => alike(({ feeds }) => feeds.find(feedName(name)))
  const put = (...all: Feed[]) => runEach(all, ({ feeds }, feed) => feeds.put(feed))
  const remove = (...names: string[]) => runEach(names, ({ feeds }, name) => feeds.remove(feedName(name)))
  const namesOf = async (after: number, limit: number) => {
    const { items, next } = await readers.feeds.list({ after, limit })
    return { names: items.map(({ name }) => name), next }
  }

  it('has the feed `default` from the start, first in its list', async () => {
    expect((await find('default'))?.name).toBe('default')
    expect(await namesOf(0, 9)).toEqual({ names: ['default'], next: undefined })
  })

  it('finds nothing where there is no such feed', async () => {
    for (const name of ['news', 'Default', 'defaul', '']) expect(await find(name)).toBeUndefined()
  })

  it('gives back every feed exactly as it was put', async () => {
    const all = TEXTS.map((text, n) =>
      aFeed(`f${n}`, {
        title: text,
        description: text.repeat(10),
        language: n % 2 ? 'pt-BR' : undefined,
        sender: n % 2 ? undefined : { name: text, address: `${n}@xn--bcher-kva.example` },
        wordings: upTo(n % 4).map((version) => ({ version, text: `${version} ${text}`, since: n * version })),
        returnUrls: upTo(n % 3).map((m) => `https://example.com/${m}?text=${text}#`),
        confirmedUrl: n % 3 ? undefined : `https://example.com/?text=${text}`,
        replyTo: n % 2 ? { name: text, address: `r${n}@example.com` } : undefined,
        homeUrl: n % 2 ? `https://example.com/home?text=${text}` : undefined,
        open: n % 2 === 0,
        fields: upTo(n % 3).map((m) => aField(`f${m}`, { label: { en: text, de: `${m}` }, choices: [text] })),
        face:
          n % 2 ? {} : { accent: '#123456', footer: { de: text }, words: { en: { greeting: text } }, welcome: true },
        deletingSince: n % 5 ? undefined : n,
        createdAt: THEN + n,
        updatedAt: n,
      }),
    )
    await put(...all)
    for (const feed of all) expect(await find(feed.name)).toEqual(feed)
    const [, ...listed] = (await readers.feeds.list({ after: 0, limit: 200 })).items
    expect(listed).toEqual(all)
  })

  it('takes names of 64 characters', async () => {
    const name = 'x'.repeat(64)
    await put(aFeed(name))
    expect(await find(name)).toEqual(aFeed(name))
  })

  it('replaces the feed with the same name, which keeps its place', async () => {
    await put(aFeed('b', { language: 'de' }), aFeed('a'))
    const changes = { title: 'Changed', description: 'too', language: undefined, updatedAt: 7 }
    await put(aFeed('b', changes), aFeed('default', changes))
    expect(await find('b')).toEqual(aFeed('b', changes))
    expect(await find('default')).toEqual(aFeed('default', changes))
    expect((await namesOf(0, 9)).names).toEqual(['default', 'b', 'a'])
  })

  it('takes every field of a feed away again', async () => {
    const full = aFeed('news', {
      language: 'de',
      sender: { name: '', address: 'news@example.com' },
      wordings: [{ version: 1, text: 'Yes', since: 0 }],
      returnUrls: ['https://example.com/'],
      confirmedUrl: 'https://example.com/',
      replyTo: { name: '', address: 'answers@example.com' },
      homeUrl: 'https://example.com/home',
      open: false,
      fields: [aField('company', { required: true, max: 3, public: true, stored: true, erasing: true })],
      face: {
        logo: 'image/png',
        accent: '#000000',
        footer: { en: 'x' },
        words: { en: { greeting: 'x' } },
        welcome: true,
      },
      deletingSince: 0,
    })
    for (const feed of [full, aFeed('news')]) {
      await put(feed)
      expect(await find('news')).toEqual(feed)
    }
  })

  it('shows each unit and every reader the feed as it was last committed, on any number of handles', async () => {
    const other = await another()
    for (const n of upTo(6)) {
      const feed = aFeed('news', { title: `${n}` })
      await (n % 2 ? storage : other).unitOfWork.run(({ feeds }) => feeds.put(feed))
      for (const handle of [storage, other]) {
        expect(await handle.unitOfWork.run(({ feeds }) => feeds.find(feed.name))).toEqual(feed)
        expect(await handle.readers.feeds.find(feed.name)).toEqual(feed)
      }
    }
  })

  it('shows a unit its own change to the feed, and shows no change of a unit that threw', async () => {
    await put(aFeed('news', { title: 'before' }))
    const titleIn = async (feeds: FeedReader) => (await feeds.find(feedName('news')))?.title
    let titles: (string | undefined)[] = []
    const broken = undone(async ({ feeds }) => {
      // The work may be run more than once.
      titles = [await titleIn(feeds)]
      for (const title of ['undone', undefined, 'undone, too']) {
        await (title === undefined ? feeds.remove(feedName('news')) : feeds.put(aFeed('news', { title })))
        titles.push(await titleIn(feeds))
      }
    })
    const next = run(({ feeds }) => titleIn(feeds))
    await broken
    expect(titles).toEqual(['before', 'undone', undefined, 'undone, too'])
    expect(await next).toBe('before')
    expect(await titleIn(readers.feeds)).toBe('before')
  })

  it('removes a feed, and nothing else', async () => {
    await put(aFeed('a'), aFeed('b'), aFeed('c'))
    await remove('b', 'nothing')
    expect(await find('b')).toBeUndefined()
    expect((await namesOf(0, 9)).names).toEqual(['default', 'a', 'c'])
  })

  it('keeps a logo of up to 64 KiB beside its feed, which goes with it', async () => {
    const logos = () =>
      alike(async ({ feeds }) => await Promise.all(['a', 'b'].map((name) => feeds.logo(feedName(name)))))
    const [png, svg] = [logo('image/png', 'A'.repeat(LARGEST_LOGO * 1.4)), logo('image/svg+xml', 'PHN2Zz4=')]
    await put(aFeed('a'), aFeed('b'))
    expect(await logos()).toEqual([undefined, undefined])
    await run(({ feeds }) => feeds.putLogo(feedName('a'), png))
    await run(({ feeds }) => feeds.putLogo(feedName('b'), svg))
    expect(await logos()).toEqual([png, svg])
    await run(({ feeds }) => feeds.putLogo(feedName('a'), svg))
    await undone(({ feeds }) => feeds.removeLogo(feedName('a')))
    await put(aFeed('a', { title: 'Changed' }))
    expect(await logos()).toEqual([svg, svg])
    await runEach(['a', 'a', 'nothing'], ({ feeds }, name) => feeds.removeLogo(feedName(name)))
    await remove('b')
    await put(aFeed('b'))
    expect(await logos()).toEqual([undefined, undefined])
  })

  it('puts a feed that comes back at the end, and stays in step between two stretches', async () => {
    await put(aFeed('a'), aFeed('b'), aFeed('c'))
    const { next } = await namesOf(0, 2)
    await remove('a', 'c')
    await put(aFeed('a'), aFeed('c'))
    expect(await namesOf(next ?? 0, 9)).toEqual({ names: ['b', 'a', 'c'], next: undefined })
  })

  it('lists the oldest first, stretch by stretch', async () => {
    await put(...upTo(5).map((n) => aFeed(`f${9 - n}`)))
    const stretches = await stretchesOf(readers.feeds.list, 4)
    expect(stretches.map((feeds) => feeds.map(({ name }) => name))).toEqual([
      ['default', 'f8', 'f7', 'f6'],
      ['f5', 'f4'],
    ])
  })
})
