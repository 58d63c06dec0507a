import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The browser code of each page: a script that imports the others and its style sheet, and markup where it is not rendered. */
const PAGES = [
  { folder: 'reports/formats/html', script: 'report.ts' },
  { folder: 'pages/ui', script: 'ui.ts' },
  { folder: 'pages/control', script: 'control.ts', markup: 'content.html' },
  { folder: 'pages/guard', script: 'enter.ts' },
] as const

/** A module for each page: its script, its style sheet and its markup as texts, since a page loads nothing. */
export function bundlePages(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  return Promise.all(
    PAGES.map(async ({ folder, script, ...page }) => {
      const { outputFiles } = await build({
        entryPoints: [`${folder}/browser/${script}`],
        absWorkingDir: root,
        outdir: folder,
        bundle: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        // Names stay: a reader can see what a report that was sent to him runs.
        minifyWhitespace: true,
        minifySyntax: true,
        charset: 'utf8',
      })
      const textOf = (extension: string): string =>
        outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? ''
      const texts = {
        SCRIPT: textOf('.js'),
        STYLE: textOf('.css'),
        ...('markup' in page
          ? { MARKUP: readFileSync(join(root, folder, 'browser', page.markup), 'utf8') }
          : {}),
      }
      const lines = Object.entries(texts).map(
        ([name, text]) => `export const ${name}: string = ${JSON.stringify(text)}`,
      )
      return { path: `${folder}/generated/browser.ts`, text: `${lines.join('\n')}\n` }
    }),
  )
}
