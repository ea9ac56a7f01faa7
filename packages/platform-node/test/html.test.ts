import { expect, it } from 'vitest'
import { html } from '../src/index.ts'

it('escapes every value, and only values', () => {
  const { text } = html`<b>${'<&>"\''}</b>${html`<i>`}${undefined}${false}${0}${[html`<u>`, undefined, html`${'<'}`]}`
  expect(text).toBe('<b>&lt;&amp;&gt;&quot;&#39;</b><i>0<u>&lt;')
})
