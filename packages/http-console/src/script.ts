/**
 * All that runs in the browser, and nothing needs it: it presses the button that goes on with a deletion, for as long as
 * the page that shows it is open.
 */
export const SCRIPT = `'use strict'
{
  const form = document.querySelector('form[data-goes-on]')
  if (form) {
    const box = document.getElementById('goes-on')
    let timer
    const start = () => { timer = setTimeout(() => form.requestSubmit(), 150) }
    box.hidden = false
    const tick = box.querySelector('input')
    tick.checked = true
    tick.addEventListener('change', () => (tick.checked ? start() : clearTimeout(timer)))
    start()
  }
}
`
