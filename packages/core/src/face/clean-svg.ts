type Problem = { readonly problem: string }

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that draw, or say how. */
const ELEMENTS = words(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker style filter
  feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feOffset`)
/** Elements that say something to programs or to those who draw; they are left out with all that is in them. */
const LEFT_OUT = words('title desc metadata')
const ATTRIBUTES = words(`
  id class style transform viewBox version width height preserveAspectRatio x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr
  d points pathLength rotate textLength lengthAdjust startOffset method spacing side offset opacity color display visibility
  overflow clip-path clip-rule clipPathUnits mask mask-type maskUnits maskContentUnits fill fill-opacity fill-rule stroke
  stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset
  paint-order vector-effect shape-rendering text-rendering color-interpolation color-interpolation-filters
  mix-blend-mode isolation stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits
  patternContentUnits patternTransform marker-start marker-mid marker-end markerUnits markerWidth markerHeight refX refY
  orient font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing text-anchor
  text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi filter
  filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 stdDeviation edgeMode flood-color
  flood-opacity tableValues slope intercept amplitude exponent href xlink:href`)

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const TAG = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/y
const DECLARATION = /<\?xml\s[^?<>]*\?>/y
const CDATA = /<!\[CDATA\[((?:(?!\]\]>)[\s\S])*)\]\]>/y
const TEXT = /[^<]+/y
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const DEEPEST = 64
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of them but white space
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/

class Refusal extends Error {}

const refuse = (problem: string): never => {
  throw new Refusal(problem)
}

/**
 * The same picture, written anew from those elements and attributes that draw; or why it is refused. What would run,
 * or load something, or is not understood, refuses the file; what only describes is left out.
 */
export const cleanSvg = (source: string): string | Problem => {
  try {
    return new SvgWriter(source.replace(/^\uFEFF/, '')).write()
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

interface Open {
  readonly name: string
  readonly id: string | undefined
  /** Whether it is left out, as something around it is or it itself. */
  readonly left: boolean
}

class SvgWriter {
  readonly #source: string
  #at = 0
  #written = ''
  readonly #open: Open[] = []
  #hasRoot = false
  /** Of the element `style` that is open: checked as a whole, as its parts may be harmless each. */
  #style = ''
  /** Ids of what contains a `use`; and what is used. One within the other could make any number of copies. */
  readonly #using = new Set<string>()
  readonly #used = new Set<string>()

  constructor(source: string) {
    this.#source = source
  }

  write(): string {
    if (CONTROL.test(this.#source) || !this.#source.isWellFormed())
      refuse('The SVG has characters that XML cannot have.')
    this.#take(DECLARATION)
    while (this.#at < this.#source.length) this.#step()
    if (this.#open.length > 0 || !this.#hasRoot) refuse(NOT_WHOLE)
    for (const id of this.#used)
      if (this.#using.has(id)) refuse(`'#${id}' is used and itself uses something. Save the SVG with plain shapes.`)
    return this.#written
  }

  #step(): void {
    const tag = this.#take(TAG)
    if (tag?.[1]) this.#end(tag)
    else if (tag) this.#begin(tag)
    else if (!this.#take(COMMENT))
      this.#text(this.#take(CDATA)?.[1] ?? unescaped(this.#take(TEXT)?.[0]) ?? refuse(this.#unknown()))
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source) ?? undefined
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #unknown(): string {
    const begin = this.#source.slice(this.#at, this.#at + 9)
    if (/^<!DOCTYPE/i.test(begin)) return 'The SVG has a DOCTYPE. Save it without one, as plain SVG.'
    if (begin.startsWith('<?')) return 'The SVG has a processing instruction. Save it as plain SVG.'
    return NOT_WHOLE
  }

  #end([, , name = '', attributes = '', empty]: RegExpExecArray): void {
    if (attributes !== '' || empty) refuse(NOT_WHOLE)
    this.#close(name)
  }

  #begin([, , name = '', attributes = '', empty]: RegExpExecArray): void {
    const inside = this.#open.at(-1)
    if (inside === undefined && (name !== 'svg' || this.#hasRoot))
      refuse('The SVG must have one element `svg` around all others, without a prefix.')
    if (this.#open.length >= DEEPEST) refuse(`The SVG has elements more than ${DEEPEST} deep.`)
    if (inside?.name === 'style') refuse('The style of the SVG has an element in it.')
    const left = inside?.left || LEFT_OUT.has(name) || name.includes(':')
    if (!left && !ELEMENTS.has(name))
      refuse(`The SVG has an element '${name}', which a logo cannot have. Save it with plain shapes.`)
    const given = attributesOf(attributes)
    if (inside === undefined && given.get('xmlns') !== SVG) refuse(`The element svg must have xmlns="${SVG}".`)
    if (inside !== undefined && (given.get('xmlns') ?? SVG) !== SVG) refuse('An element of the SVG is not of SVG.')
    if ((given.get('xmlns:xlink') ?? XLINK) !== XLINK) refuse(`xmlns:xlink must be "${XLINK}".`)
    this.#hasRoot = true
    this.#open.push({ name, id: given.get('id'), left })
    if (!left) {
      const kept = [...given].flatMap(([key, value]) => this.#attribute(name, key, value))
      const root = inside === undefined ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
      this.#written += `<${name}${root}${kept.join('')}>`
      if (name === 'use') for (const { id } of this.#open) if (id !== undefined) this.#using.add(id)
    }
    if (empty) this.#close(name)
  }

  #attribute(element: string, name: string, value: string): readonly string[] {
    if (/^on/i.test(name)) refuse(`The SVG has an event handler '${name}'. Save it without scripts.`)
    if (!ATTRIBUTES.has(name)) return []
    if (name.endsWith('href')) {
      const id = /^#([^\s"'()\\]+)$/.exec(value)?.[1]
      if (id === undefined)
        return refuse(`'${name}' of '${element}' refers to something outside. Put all into the SVG itself.`)
      if (element === 'use') this.#used.add(id)
    } else if (name !== 'id' && name !== 'class') requireInside(value, `'${name}' of '${element}'`)
    return [` ${name}="${escaped(value)}"`]
  }

  #text(text: string): void {
    const inside = this.#open.at(-1)
    if (inside === undefined) {
      if (text.trim() !== '') refuse(NOT_WHOLE)
    } else if (!inside.left) {
      if (inside.name === 'style') this.#style += text
      this.#written += escaped(text)
    }
  }

  #close(name: string): void {
    const last = this.#open.pop()
    if (last?.name !== name) refuse(NOT_WHOLE)
    if (name === 'style') requireInside(this.#style, 'The style')
    if (name === 'style') this.#style = ''
    if (!last?.left) this.#written += `</${name}>`
  }
}

const NOT_WHOLE = 'The file is not a whole SVG. Save it again, as plain SVG.'

const FUNCTIONS = words(`
  rgb rgba hsl hsla calc var matrix translate translatex translatey scale scalex scaley rotate skew skewx skewy blur
  drop-shadow`)

/** No value may load anything: not by a rule, nor by a function. A reference within the picture is good. */
const requireInside = (value: string, what: string): void => {
  const rest = value.replace(/\burl\(\s*(["']?)#[^\s"'()\\]+\1\s*\)/gi, ' ')
  const functions = [...rest.matchAll(/([\w-]*)\s*\(/g)].map(([, name = '']) => name.toLowerCase())
  if (/[@\\<]|javascript:|data:/i.test(rest) || functions.some((name) => !FUNCTIONS.has(name)))
    refuse(`${what} in the SVG refers to something outside, or has a rule with @. Put all into the SVG itself.`)
}

const attributesOf = (source: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE)) {
    if (found.has(name)) refuse(NOT_WHOLE)
    found.set(name, unescaped(double ?? single ?? '') ?? '')
  }
  return found
}

const unescaped = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  if (text.replace(ENTITY, '').includes('&')) refuse('The SVG has an entity of its own. Save it as plain SVG.')
  return text.replace(ENTITY, (_, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ''
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const character = point > 0x10ffff ? '\u0000' : String.fromCodePoint(point)
    if (CONTROL.test(character) || !character.isWellFormed()) refuse('The SVG has characters that XML cannot have.')
    return character
  })
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
