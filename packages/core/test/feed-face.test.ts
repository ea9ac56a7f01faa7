import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { parseAccent, parseFooter, parseWords } from '../src/face/change-face.ts'
import { addressHash, footerIn, InsufficientPermissions, InvalidInput, publishedFeed, wordsIn } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, mailsOf, type Service } from './cast.ts'
import { block, digests } from './recipients.ts'

const problemWith = (read: () => unknown): string => {
  try {
    return `nothing: ${JSON.stringify(read())}`
  } catch (error) {
    return error instanceof InvalidInput ? error.details.map(({ field, message }) => `${field}: ${message}`).join() : ''
  }
}

describe('a face', () => {
  it.each([
    ['#1A56B0', '#1a56b0'],
    ['', undefined],
    [null, undefined],
  ])('has the accent %s', (given, accent) => {
    expect(parseAccent(given)).toBe(accent)
  })

  it.each(['red', '#fff', '#1234567', '1a56b0', 'url(#a)', '#1a56b0;'])('refuses the accent %s', (given) => {
    expect(problemWith(() => parseAccent(given))).toMatch(/^accent: Give a colour/)
  })

  it('has texts by language; an empty one is none', () => {
    expect(parseFooter({ en: 'Example Ltd\r\n1 Street', de: ' ', fr: null })).toEqual({ en: 'Example Ltd\n1 Street' })
    expect(parseFooter({})).toBeUndefined()
    expect(parseWords({ 'pt-BR': { greeting: ' Olá ', welcome_text: 'A\n\nB', confirmed_text: '' }, de: {} })).toEqual({
      'pt-BR': { greeting: 'Olá', welcome_text: 'A\n\nB' },
    })
  })

  it.each<[given: unknown, problem: RegExp]>([
    ['Hello', /^words: Give texts by language/],
    [['Hello'], /^words: Give texts by language/],
    [{ en: 'Hello' }, /^words: Give texts by language/],
    [{ de_DE: {} }, /'de_DE' is not a language tag/],
    [{ en: { hello: 'x' } }, /no words 'hello'/],
    [{ en: { greeting: 7 } }, /'en.greeting' as a text/],
    [{ en: { greeting: 'a\nb' } }, /'en.greeting': Remove the control/],
    [{ en: { welcome_subject: 'a\r\nBcc: x' } }, /'en.welcome_subject': Remove the control/],
    [{ en: { welcome_text: 'a\u0000b' } }, /'en.welcome_text': Remove the control/],
    [{ en: { welcome_text: 'a'.repeat(2_001) } }, /at most 2000/],
    [{ en: { greeting: 'a'.repeat(201) } }, /at most 200/],
    [JSON.parse('{"__proto__": {"greeting": "x"}}'), /not a language tag/],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, {}])), /at most 20/],
  ])('refuses the words %j', (given, problem) => {
    expect(problemWith(() => parseWords(given))).toMatch(problem)
  })

  it.each<[language: string, greeting: string | undefined]>([
    ['pt-BR', 'Olá'],
    ['pt-br-x-a', 'Olá'],
    ['de', 'Moin'],
    ['de-AT', 'Moin'],
    ['en', undefined],
    ['pt', undefined],
  ])('says in %s: %s', (language, greeting) => {
    expect(wordsIn({ words: { 'pt-BR': { greeting: 'Olá' }, de: { greeting: 'Moin' } } }, language).greeting).toBe(
      greeting,
    )
  })

  it('has its footer in every language', () => {
    const face = { footer: { de: 'Impressum', fr: 'Mentions' } }
    expect(footerIn(face, ['fr-CA'])).toEqual({ language: 'fr', text: 'Mentions' })
    expect(footerIn(face, ['en', undefined])).toEqual({ language: 'de', text: 'Impressum' })
    expect(footerIn(face, ['en', 'fr'])).toEqual({ language: 'fr', text: 'Mentions' })
    expect(footerIn({}, ['en'])).toBeUndefined()
  })
})

describe('a preview that is sent', () => {
  const send = ({ useCases }: Service, to: string, who = ADMIN) =>
    useCases.sendPreview.execute({ name: 'default', mail: 'welcome', to }, who)

  it('goes to no address that is suppressed, in whatever spelling of its mailbox', async () => {
    const at = openMemoryService()
    await block(at, 'ada@example.com', 'complaint')
    await block(at, 'bob@example.com')
    await at.storage.unitOfWork.run(({ suppressions }) =>
      suppressions.add(addressHash(digests, 'eve@example.com'), { cause: 'never-again', since: 1 }),
    )
    for (const to of ['Ada@example.com', 'ada+news@example.com', 'bob@example.com', 'eve@example.com'])
      await expect(send(at, to)).rejects.toMatchObject({
        details: [{ field: 'to', message: expect.stringContaining('rollcall suppression lift') }],
      })
    expect(mailsOf(at)).toEqual([])
    await send(at, 'zoe@example.com')
    expect(mailsOf(at).map(({ to }) => to)).toEqual(['zoe@example.com'])
  })

  it('says of no address whether it is suppressed to those who may not send one', async () => {
    const at = openMemoryService()
    await block(at, 'ada@example.com')
    for (const to of ['ada@example.com', 'zoe@example.com'])
      await expect(send(at, to, AUDITOR)).rejects.toThrow(InsufficientPermissions)
  })
})

describe('the face of a feed', () => {
  const opened = () => {
    const at = openMemoryService()
    const record = async () => publishedFeed(await at.useCases.getFeed.execute({ name: 'news' }, ADMIN))
    const put = (more: object = {}) => at.useCases.putFeed.execute({ name: 'news', ...more }, ADMIN)
    const patch = (more: object) => at.useCases.patchFeed.execute({ name: 'news', ...more }, ADMIN)
    return { at, record, put, patch }
  }

  it('is plain by default, and stays in a replacement that does not mention it', async () => {
    const { record, put } = opened()
    const plain = { logo: null, accent: null, footer: {}, words: {}, welcome: false }
    await put()
    expect(await record()).toMatchObject(plain)
    await put({ accent: '#AABBCC', footer: { en: 'x' }, words: { en: { greeting: 'Hi,' } }, welcome: true })
    const full = { accent: '#aabbcc', footer: { en: 'x' }, words: { en: { greeting: 'Hi,' } }, welcome: true }
    expect(await record()).toMatchObject(full)
    await put()
    expect(await record()).toMatchObject(full)
    await put({ footer: { de: 'y' }, words: { fr: { greeting: 'Salut,' } } })
    expect(await record()).toMatchObject({ ...full, footer: { de: 'y' }, words: { fr: { greeting: 'Salut,' } } })
    await put({ accent: '', footer: {}, words: {}, welcome: false })
    expect(await record()).toMatchObject(plain)
  })

  it('is changed in part, down to a single text', async () => {
    const { at, record, put, patch } = opened()
    await put({ accent: '#aabbcc', footer: { en: 'x', de: 'y' }, words: { en: { greeting: 'a', welcome_text: 'b' } } })
    await patch({ footer: { en: null, fr: 'z' }, words: { en: { greeting: 'c' }, de: { confirmed_text: 'd' } } })
    expect(await record()).toMatchObject({
      accent: '#aabbcc',
      footer: { de: 'y', fr: 'z' },
      words: { en: { greeting: 'c', welcome_text: 'b' }, de: { confirmed_text: 'd' } },
    })
    await patch({ words: { en: null, de: { confirmed_text: null } }, welcome: true })
    expect(await record()).toMatchObject({ words: {}, welcome: true })
    await patch({ accent: null, footer: null, welcome: null })
    expect(await record()).toMatchObject({ accent: null, footer: {}, welcome: false })
    const before = (await auditOf(at)).length
    await patch({ accent: '', footer: {}, words: { en: null } })
    expect(await auditOf(at)).toHaveLength(before)
  })

  it('is refused with every problem at once', async () => {
    const { put } = opened()
    await expect(put({ accent: 'red', footer: 'x', words: [] })).rejects.toMatchObject({
      details: [{ field: 'accent' }, { field: 'footer' }, { field: 'words' }],
    })
  })
})
