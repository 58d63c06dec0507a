/** Lets a reader filter the tables of the page "Servers and clients"; without it they are whole. */

/** What has no value of the kind is not chosen by it. */
const isChosen = (chosen: string, own: string | undefined): boolean => chosen === '' || !own || own === chosen

/** One table with its form: `name` of a field is what it filters by. */
class Matrix {
  readonly #form: HTMLFormElement
  readonly #rows: readonly HTMLTableRowElement[]
  readonly #columns: readonly HTMLTableCellElement[]
  readonly #part: HTMLElement

  constructor(part: HTMLElement, form: HTMLFormElement) {
    this.#part = part
    this.#form = form
    this.#rows = [...part.querySelectorAll<HTMLTableRowElement>('tbody tr')]
    this.#columns = [...part.querySelectorAll<HTMLTableCellElement>('thead th')].slice(1)
    form.hidden = false
    form.addEventListener('input', () => this.#filter())
    // After the fields have their first values again.
    form.addEventListener('reset', () => setTimeout(() => this.#filter()))
    form.addEventListener('submit', (event) => event.preventDefault())
    part.addEventListener('click', (event) => this.#explain(event))
    this.#filter()
  }

  #chosen(name: string): string {
    return String(new FormData(this.#form).get(name) ?? '')
  }

  #filter(): void {
    const text = this.#chosen('text').trim().toLowerCase()
    const [server, language, state] = ['server', 'language', 'state'].map((name) => this.#chosen(name))
    const shown = this.#columns.map(
      ({ dataset }) => isChosen(server ?? '', dataset.server) && isChosen(language ?? '', dataset.language),
    )
    for (const [index, column] of this.#columns.entries()) column.hidden = !shown[index]
    let count = 0
    for (const row of this.#rows) {
      const cells = [...row.cells].slice(1)
      const has = cells.map(({ dataset }, index) => shown[index] && isChosen(state ?? '', dataset.state))
      for (const [index, cell] of cells.entries()) {
        cell.hidden = !shown[index]
        cell.classList.toggle('other', !has[index])
      }
      row.hidden =
        !(row.dataset.text ?? '').includes(text) ||
        !isChosen(language ?? '', row.dataset.language) ||
        !has.includes(true)
      if (!row.hidden) count++
    }
    const output = this.#form.querySelector('output')
    const columns = shown.filter(Boolean).length
    if (output) output.value = `${count} of ${this.#rows.length} rows, ${columns} of ${shown.length} servers`
  }

  /** What a cell says, in the line below the table; a screen reader reads it aloud. */
  #explain({ target }: Event): void {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('td button') : null
    const line = this.#part.querySelector<HTMLElement>('.detail')
    if (button === null || line === null) return
    for (const other of this.#part.querySelectorAll('[aria-pressed=true]'))
      other.setAttribute('aria-pressed', 'false')
    button.setAttribute('aria-pressed', 'true')
    const link = document.createElement('a')
    link.href = button.dataset.link ?? ''
    link.textContent = 'All of this server'
    line.replaceChildren(button.title, ' ', link)
  }
}

/** Every table of the page. */
export function enableFilters(): void {
  for (const part of document.querySelectorAll<HTMLElement>('.matrix')) {
    const form = part.querySelector('form')
    if (form) new Matrix(part, form)
  }
}
