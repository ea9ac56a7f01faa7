import { describe, expect, it } from 'vitest'
import { visible, visibleJson } from '../src/texts.ts'

describe('text on its way to a terminal', () => {
  it.each([
    ['escape sequences', '\u001b[31mred\u001b]0;title\u0007', '\\u001b[31mred\\u001b]0;title\\u0007'],
    ['line breaks and tabs', 'a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
    ['the controls of eight bits', '\u009b31m\u0085\u007f', '\\u009b31m\\u0085\\u007f'],
    ['bidirectional overrides', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['halves of surrogate pairs', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
  ])('has %s made visible', (_name, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('keeps every other script, and emoji, as it is', () => {
    const text = 'Zoë Ångström 日本語 العربية हिन्दी 👩‍👩‍👧 🇯🇵'
    expect(visible(text)).toBe(text)
  })

  it('means the same in JSON as before', () => {
    const value = { text: '\u001b[31m "\\ \u009b \u202e \ud83d\ude00 \u2028', '\u007f': null }
    const json = visibleJson(value)
    expect(JSON.parse(json)).toEqual(value)
    expect(json).toMatch(/^[\x20-\x7e😀]+$/u)
  })
})
