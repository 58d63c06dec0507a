import { forgetKey, hasKey, keepKey, whenKeyed } from '../../guard/browser/key.js'
import { byId } from './dom.js'

const form = byId('enter', HTMLFormElement)

/** Asks for the secret of the control plane, where this tab and the others do not have the key that it gets. */
export function unlock(onOpen: () => void): void {
  show(hasKey())
  whenKeyed(() => {
    show(true)
    onOpen()
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const secret = String(new FormData(form).get('secret'))
    form.reset()
    try {
      keepKey(await keyFor(secret))
    } catch (error) {
      lock(error instanceof TypeError ? 'No answer: is the server still running?' : 'This is not the secret.')
    }
  })
}

/** Hides the page until there is a key again. */
export function lock(why: string): void {
  forgetKey()
  show(false)
  byId('refused', HTMLElement).textContent = why
}

function show(isOpen: boolean): void {
  byId('locked', HTMLElement).hidden = isOpen
  byId('opened', HTMLElement).hidden = !isOpen
}

/** The secret goes this way once, and is kept nowhere. */
async function keyFor(secret: string): Promise<string> {
  // What a header cannot carry is no secret of a server.
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new Error('refused')
  const response = await fetch('/page/key', {
    method: 'POST',
    redirect: 'error',
    headers: { Authorization: `Bearer ${secret}` },
  })
  const { key } = await response.json()
  if (typeof key !== 'string') throw new Error('refused')
  return key
}
