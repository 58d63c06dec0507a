/** The formula for a tap of Homebrew: https://docs.brew.sh/Formula-Cookbook. */
import { archiveOf } from '../platforms.js'
import { addressOf, archiveOfPlatform, type Release, SUMMARY } from './release.js'

export function formula(release: Release): string {
  const source = (name: string): string => {
    const { platform, sha256 } = archiveOfPlatform(release, name)
    return `      url "${addressOf(release, archiveOf(platform))}"\n      sha256 "${sha256}"`
  }
  const block = (system: string, arm: string, intel: string): string => `  on_${system} do
    on_arm do
${source(arm)}
    end
    on_intel do
${source(intel)}
    end
  end`
  return `class TokenAssay < Formula
  desc "${SUMMARY}"
  homepage "${release.repository}"
  version "${release.version}"
  license "MIT"

${block('macos', 'macos-arm64', 'macos-x64')}

${block('linux', 'linux-arm64', 'linux-x64')}

  def install
    bin.install "token-assay"
    doc.install "LICENSES"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/token-assay --version").strip
    system bin/"token-assay", "run", "--embedded", "--only", "2.1/token-response"
  end
end
`
}
