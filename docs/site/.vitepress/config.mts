import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

// `tools/site.ts` writes it, with the pages.
const { sidebar, version } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'))

/** Links that lead nowhere fail the build. */
export default defineConfig({
  title: 'Token Assay',
  description: 'Tests whether a token service keeps its contract: POST {base_url}/Token.',
  lang: 'en',
  srcDir: 'pages',
  cleanUrls: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      // `{{` in code is no template.
      md.renderer.rules.code_inline = (tokens, index) => {
        const text = md.utils.escapeHtml(tokens[index]?.content ?? '')
        return `<code v-pre>${text.replaceAll('{', '&#123;')}</code>`
      }
    },
  },
  themeConfig: {
    siteTitle: 'Token Assay',
    logo: '/icon.svg',
    nav: [
      { text: 'Tutorials', link: '/docs/tutorials/migrate-a-katana-service', activeMatch: '/tutorials/' },
      { text: 'Documentation', link: '/docs/', activeMatch: '^/docs/(?!tutorials)' },
      { text: 'Rules', link: '/rules/', activeMatch: '^/rules/' },
      { text: 'Servers', link: '/matrix' },
      { text: version, link: '/CHANGELOG' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
})
