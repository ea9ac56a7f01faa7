import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cleanLogo } from '../src/face/clean-logo.ts'
import { cleanSvg } from '../src/face/clean-svg.ts'
import { InvalidInput, LARGEST_LOGO, logoUrl } from '../src/index.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (content: string, attributes = '') => `<svg ${XMLNS}${attributes}>${content}</svg>`
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const cleaned = (source: string) => Buffer.from(cleanLogo(bytes(source)).content, 'base64').toString()

const problemWith = (file: Uint8Array): string => {
  try {
    return cleanLogo(file).type
  } catch (error) {
    return error instanceof InvalidInput ? error.details.map(({ field, message }) => `${field}: ${message}`).join() : ''
  }
}

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const header = (width: number, height: number) => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, 2, 0, 0, 0], 8)
  return chunk('IHDR', data)
}
const PIXELS = chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0])))
const END = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: Buffer[]) => new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]))

describe('a logo as SVG', () => {
  it.each<[what: string, source: string, kept: RegExp]>([
    ['a shape', svg('<path d="M0 0L9 9" fill="#123456"/>'), /<path d="M0 0L9 9" fill="#123456"><\/path>/],
    ['a size', svg('', ' viewBox="0 0 9 9" width="9"'), /<svg xmlns=\S+ xmlns:xlink=\S+ viewBox="0 0 9 9" width="9">/],
    ['a declaration and comments', `<?xml version="1.0"?>\n<!-- x -->${svg('<!-- y --><g/>')}<!-- z -->\n`, /<g><\/g>/],
    [
      'a gradient',
      svg('<rect fill="url(#a)"/><linearGradient id="a" xlink:href="#b"/>'),
      /fill="url\(#a\)".*href="#b"/,
    ],
    [
      'a style',
      svg('<style><![CDATA[.a{fill:rgb(1 2 3);mask:url("#m")}]]></style>'),
      /rgb\(1 2 3\);mask:url\(&quot;#m/,
    ],
    ['signs', svg('<text>&lt;&amp;&#228;&#x4e2d;</text>'), /<text>&lt;&amp;ä中<\/text>/],
    ['what is used once', svg('<use href="#a"/><g id="a"><path/></g>'), /<use href="#a">/],
  ])('keeps %s', (_, source, kept) => {
    expect(cleaned(source)).toMatch(kept)
    expect(cleanLogo(bytes(source)).type).toBe('image/svg+xml')
    // What it writes, it takes as it is.
    expect(cleaned(cleaned(source))).toBe(cleaned(source))
  })

  it.each<[what: string, source: string, lost: RegExp]>([
    [
      'what describes',
      svg('<title>x</title><desc/><metadata><rdf:RDF><script/></rdf:RDF></metadata>'),
      /title|desc|rdf|script/,
    ],
    ['what is of an editor', svg('<sodipodi:namedview inkscape:zoom="1"><g/></sodipodi:namedview>'), /sodi|inksc|<g/],
    [
      'a script under another name',
      svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
      /script|alert/,
    ],
    ['unknown attributes', svg('<g data-x="1" aria-label="y" tabindex="1"/>'), /data|aria|tabindex/],
  ])('leaves out %s', (_, source, lost) => {
    expect(cleaned(source).replace(XMLNS, '')).not.toMatch(lost)
  })

  it.each<[what: string, source: string, problem: RegExp]>([
    ['a script', svg('<script>alert(1)</script>'), /element 'script'/],
    ['a script in capitals', svg('<SCRIPT/>'), /element 'SCRIPT'/],
    ['foreign objects', svg('<foreignObject><p/></foreignObject>'), /foreignObject/],
    ['a link', svg('<a href="https://example.com/"><g/></a>'), /element 'a'/],
    ['a picture', svg('<image href="https://example.com/x.png"/>'), /element 'image'/],
    ['an animation', svg('<animate attributeName="href" to="javascript:alert(1)"/>'), /element 'animate'/],
    ['an event handler', svg('<g onload="alert(1)"/>'), /event handler 'onload'/],
    ['an event handler of the root', svg('', ' ONLOAD="alert(1)"'), /event handler 'ONLOAD'/],
    ['something used from elsewhere', svg('<use xlink:href="https://example.com/x.svg#a"/>'), /outside/],
    ['a data URL', svg('<use href="data:image/svg+xml,x"/>'), /outside/],
    ['a fill from elsewhere', svg('<g fill="url(https://example.com/#a)"/>'), /outside/],
    ['the same with an entity', svg('<g fill="u&#114;l(https://example.com/#a)"/>'), /outside/],
    ['the same with an escape', svg('<g style="fill:u\\72l(https://example.com/#a)"/>'), /outside/],
    ['an import', svg('<style>@import "https://example.com/x.css";</style>'), /@/],
    ['a style in parts', svg('<style>a{fill:ur<![CDATA[l(https://example.com/)}]]></style>'), /outside/],
    ['a style around a reference', svg('<style>a{fill:uurl(#a)rl(https://example.com/)}</style>'), /outside/],
    [
      'a style with a comment that is none',
      svg(`<style>a{content:"/*";fill:url(//e.example);b:"*/"}</style>`),
      /outside/,
    ],
    ['an image set', svg('<g style="mask:image-set(\'https://example.com/\' 1x)"/>'), /outside/],
    ['an element in a style', svg('<style><g/></style>'), /style/],
    ['a document type', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`, /DOCTYPE/],
    ['an entity', svg('&x;'), /entity/],
    ['a style sheet', `<?xml-stylesheet href="x.css"?>${svg('')}`, /processing instruction/],
    ['what uses what uses', svg('<g id="a"><use href="#b"/></g><use href="#a"/>'), /itself uses/],
    ['what uses itself', svg('<use id="a" href="#a"/>'), /itself uses/],
    ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"/>', /xmlns/],
    ['another namespace inside', svg('<g xmlns="http://www.w3.org/1999/xhtml"/>'), /not of SVG/],
    ['no namespace', '<svg/>', /xmlns/],
    ['HTML', '<html><svg/></html>', /svg/],
    ['two roots', svg('') + svg(''), /one element/],
    ['no end', `<svg ${XMLNS}>`, /whole SVG/],
    ['a wrong end', svg('<g></path>'), /whole SVG/],
    ['an attribute twice', svg('<g id="a" id="b"/>'), /whole SVG/],
    ['an attribute without quotes', svg('<g id=a/>'), /whole SVG/],
    ['text outside', `${svg('')}x`, /whole SVG/],
    ['a control character', svg('\u0001'), /characters/],
    ['the same written out', svg('&#1;'), /characters/],
    ['too deep a nesting', svg('<g>'.repeat(64) + '</g>'.repeat(64)), /deep/],
  ])('is refused with %s', (_, source, problem) => {
    expect(cleanSvg(source)).toEqual({ problem: expect.stringMatching(problem) })
    expect(() => cleanLogo(bytes(source))).toThrow(InvalidInput)
  })

  it('takes no long time for what is made to take long', () => {
    const begin = performance.now()
    for (const source of [
      '<!--'.repeat(16_000),
      `<svg ${' a'.repeat(30_000)}`,
      `<g a="${'url(#'.repeat(13_000)}">`,
      '<'.repeat(65_000),
    ])
      expect(() => cleanLogo(bytes(source))).toThrow(InvalidInput)
    expect(() => cleanLogo(bytes(svg(`<g style="${'url( '.repeat(12_000)}"/>`)))).toThrow(InvalidInput)
    expect(performance.now() - begin).toBeLessThan(2_000)
  })
})

describe('a logo as PNG', () => {
  it('is kept, but for what is not the picture', () => {
    const text = chunk('tEXt', Buffer.from('Author\0Ada'))
    const logo = cleanLogo(png(header(1, 1), text, PIXELS, END))
    expect(logo.type).toBe('image/png')
    expect(Buffer.from(logo.content, 'base64')).toEqual(Buffer.from(png(header(1, 1), PIXELS, END)))
    expect(logoUrl(logo)).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
  })

  it('ends with its end', () => {
    const behind = Buffer.from('<script>alert(1)</script>')
    expect(Buffer.from(cleanLogo(png(header(1, 1), PIXELS, END, behind)).content, 'base64').includes('script')).toBe(
      false,
    )
  })

  it.each<[what: string, file: Uint8Array, problem: RegExp]>([
    ['a signature alone', png(), /whole/],
    ['no header', png(PIXELS, END), /whole/],
    ['no pixels', png(header(1, 1), END), /whole/],
    ['no end', png(header(1, 1), PIXELS), /whole/],
    ['no width', png(header(0, 1), PIXELS, END), /whole/],
    ['two headers', png(header(1, 1), header(1, 1), PIXELS, END), /whole/],
    ['an unknown part that it needs', png(header(1, 1), chunk('XXXX', Buffer.alloc(1)), PIXELS, END), /whole/],
    ['a part that is too long', png(header(1, 1), PIXELS).subarray(0, 40), /whole/],
    ['too many pixels', png(header(30_000, 30_000), PIXELS, END), /2000 by 2000/],
  ])('is refused with %s', (_, file, problem) => {
    expect(problemWith(file)).toMatch(problem)
  })
})

it.each<[what: string, file: Uint8Array, problem: RegExp]>([
  ['empty', new Uint8Array(), /PNG, or as an SVG/],
  ['a JPEG', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), /PNG, or as an SVG/],
  ['text', bytes('hello'), /PNG, or as an SVG/],
  ['not UTF-8', new Uint8Array([0x3c, 0xff]), /PNG, or as an SVG/],
  ['too large', new Uint8Array(LARGEST_LOGO + 1), /64 KiB/],
  ['too large once it is written out', bytes(svg(`<text>${'>'.repeat(40_000)}</text>`)), /64 KiB/],
])('refuses a file that is %s', (_, file, problem) => {
  expect(problemWith(file)).toMatch(problem)
})
