import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { renderDifferentialHtml } from '../../reports/formats/differential/html.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import type { Report } from '../../spec/model/report.js'

export interface Looks {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly javaScriptEnabled?: boolean
  /** What comes behind `#`. */
  readonly fragment?: string
  /** What the reader allows the page beyond the usual. */
  readonly permissions?: readonly string[]
  /** Paper in place of the screen. */
  readonly media?: 'print'
}

/** A page as a reader opens it from disk, and what it did that it must not do. */
export interface Opened {
  readonly page: Page
  /** Requests, messages of the console (a broken policy is one), errors and dialogs. */
  readonly incidents: readonly string[]
}

/** Debian's Chromium, or the one that the environment names. @param more further switches */
export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // The sandbox needs what containers rarely give.
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      ...more,
    ],
  })
}

export async function openPage(
  browser: Browser,
  folder: string,
  report: Report | Differential,
  looks: Looks = {},
): Promise<Opened> {
  const file = join(folder, 'index.html')
  writeFileSync(file, 'findings' in report ? renderDifferentialHtml(report) : renderHtml(report))
  const {
    width = 1280,
    colorScheme = 'light',
    javaScriptEnabled = true,
    fragment,
    permissions = [],
    media,
  } = looks
  const page = await browser.newPage({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme,
    javaScriptEnabled,
    permissions: [...permissions],
  })
  if (media !== undefined) await page.emulateMedia({ media })
  const address = pathToFileURL(file).href
  const incidents: string[] = []
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) incidents.push(`requests ${request.url()}`)
  })
  page.on('console', (message) => incidents.push(message.text()))
  page.on('pageerror', (error) => incidents.push(error.message))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(fragment === undefined ? address : `${address}#${fragment}`)
  return { page, incidents }
}
