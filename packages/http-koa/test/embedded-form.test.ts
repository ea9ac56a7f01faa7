import { type Feed, parseFeedName, plainFeed } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { type EmbeddedFormOptions, embeddedForm } from '../src/index.ts'

const feed = (other: Partial<Feed> = {}): Feed => ({
  ...plainFeed(parseFeedName('letter'), 0),
  title: 'The <letter>',
  ...other,
})

const formOf = (of: Feed, options: Partial<EmbeddedFormOptions> = {}): string =>
  embeddedForm(of, { publicUrl: 'https://rollcall.example/mail', challenge: false, style: true, ...options })

describe('the form for other sites', () => {
  it('is complete: it has a name, every field, a style and a way to the preferences', () => {
    const form = formOf(feed())
    expect(form).toMatch(/^<style>[^<]*<\/style>\n<form class="rollcall-form" method="post" /)
    expect(form).toContain(
      ' action="https://rollcall.example/mail/subscribe" aria-label="Subscribe to The &lt;letter&gt;"',
    )
    expect(form.match(/(?<= name=")[^"]*/g)).toEqual(['email', 'name', 'website', 'feed', 'locale'])
    // A reader whose password manager fills it in would be taken for a program.
    expect(form).toMatch(
      /name="website"[^>]* data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other">/,
    )
    expect(form).toContain('<input name="feed" type="hidden" value="letter">')
    expect(form).toContain('<a href="https://rollcall.example/mail/preferences">See or change your subscriptions</a>')
    expect(form).toMatch(/<button type="submit">Subscribe<\/button>[\s\S]*<\/form>\n$/)
    expect(form).not.toMatch(/<script|style="| on\w+=/)
  })

  it('has no style where none is wanted', () => {
    expect(formOf(feed(), { style: false })).toMatch(/^<form /)
  })

  it('asks for what the feed asks for, in its language or in another', () => {
    const wordings = [{ version: 1, text: 'Ja, <jeden> Freitag. https://shop.example/a?b&c', since: 0 }]
    const german = feed({ language: 'de', wordings })
    const link = '<a href="https://shop.example/a?b&amp;c">https://shop.example/a?b&amp;c</a>'
    expect(formOf(german)).toContain(` lang="de" dir="ltr">`)
    expect(formOf(german)).toContain(`<p dir="auto">Ja, &lt;jeden&gt; Freitag. ${link}</p>`)
    expect(formOf(german, { language: 'fr-CA' })).toContain(`<p dir="auto" lang="de">Ja, `)
    expect(formOf(german, { language: 'fr-CA' })).toContain('value="fr"')
  })

  it('has the accent of the feed, and a text on it that can be read', () => {
    for (const [accent, colours] of [
      [undefined, '--accent: #1b5583; --on-accent: #ffffff;'],
      ['#ffe14d', '--accent: #ffe14d; --on-accent: #000000;'],
    ] as const)
      expect(formOf(feed({ face: { accent } }))).toContain(colours)
  })

  it('asks for the fields of the feed, by their labels in its language', () => {
    const field = {
      type: 'text',
      label: { en: 'Company', fr: 'Société' },
      required: true,
      max: 9,
      choices: [],
      public: false,
    }
    const fields = [
      { ...field, name: 'company' },
      { ...field, name: 'topic', type: 'choice', required: false, max: undefined, choices: ['a<b'] },
      { ...field, name: 'gone', erasing: true },
    ] as Feed['fields']
    const form = formOf(feed({ fields }), { language: 'fr' })
    expect(form).toContain(
      '<p><label><span dir="auto">Société</span> <span class="required">(obligatoire)</span> <input type="text" maxlength="9" name="field_company" required value=""></label></p>',
    )
    expect(form).toContain(
      '<select name="field_topic"><option value="">Choisissez</option><option value="a&lt;b">a&lt;b</option></select>',
    )
    expect(form).not.toContain('gone')
  })

  it('brings the return URL, and the script of a challenge', () => {
    const form = formOf(feed(), { returnTo: 'https://shop.example/?a=1&b="', challenge: true })
    expect(form).toContain('<input name="return_to" type="hidden" value="https://shop.example/?a=1&amp;b=&quot;">')
    expect(form).toContain(' data-challenge="https://rollcall.example/mail/challenge"')
    expect(form).toMatch(/<\/form>\n<script src="https:\/\/rollcall.example\/mail\/challenge.js" defer><\/script>\n$/)
  })
})
