<?php
/**
 * Every case of Token Assay as a test of PHPUnit. See docs/in-your-tests/phpunit.md.
 *
 * What a case means is decided by the command: the last line of its ndjson report lists the tests. Here they are only handed to
 * PHPUnit. A stream without that line, or a command that ends otherwise than with a verdict, is a test that fails.
 */

use PHPUnit\Framework\Assert;

final class TokenAssay
{
    private const VERDICTS = [0, 1, 3];

    /** Servers, and the pipes with which they end: these close with this process, however it ends. */
    private static array $servers = [];

    /** For a data provider: runs `token-assay run ARGUMENTS…`. It never throws: PHPUnit takes a provider that does for a warning. */
    public static function tests(array $arguments, array $env = []): array
    {
        [$stream, $code] = self::call(['run', ...$arguments, '--quiet', '--reporter', 'ndjson'], $env);
        if (!in_array($code, self::VERDICTS, true)) {
            return self::failure("token-assay gave no verdict: exit code $code");
        }
        $lines = explode("\n", trim($stream));
        $footer = self::decode(end($lines));
        if (($footer['type'] ?? null) !== 'footer') {
            return self::failure('the report has no last line: the run was killed, or its output was cut');
        }
        if (($footer['tests'] ?? []) === []) {
            return self::failure('the report has no tests');
        }
        $tests = [];
        foreach ($footer['tests'] as $test) {
            $tests[$test['id']] = [$test];
        }
        $isRed = in_array('failed', array_column($footer['tests'], 'status'), true);
        return $code === 0 || $isRed ? $tests : $tests + self::failure("token-assay ended with exit code $code");
    }

    /** A service may send half of a surrogate pair, which PHP takes for an error, and other languages do not. */
    private static function decode(string $json): ?array
    {
        $whole = preg_replace('/(?<!\\\\)((?:\\\\\\\\)*)\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}/', '$1\ufffd', $json);
        return json_decode($json, true) ?? json_decode($whole, true);
    }

    /** For the test: passes, fails or skips it. */
    public static function check(array $test): void
    {
        if ($test['status'] === 'skipped') {
            Assert::markTestSkipped($test['message']);
        }
        Assert::assertSame('passed', $test['status'], $test['title'] . "\n" . ($test['text'] ?? ''));
    }

    /** Starts `token-assay serve ARGUMENTS…` on a free port. It ends with this process. @return string its base URL */
    public static function referenceServer(array $arguments, array $env = []): string
    {
        $words = [...self::command(), 'serve', '--port', '0', '--log-level', 'error', '--end-with-stdin', ...$arguments];
        $server = proc_open($words, [0 => ['pipe', 'r'], 1 => ['pipe', 'w'], 2 => STDERR], $pipes, null, $env + getenv());
        self::$servers[] = [$server, $pipes];
        register_shutdown_function(static fn () => proc_terminate($server));
        return trim((string) fgets($pipes[1]));
    }

    private static function call(array $arguments, array $env): array
    {
        $words = [...self::command(), ...$arguments];
        $process = @proc_open($words, [1 => ['pipe', 'w'], 2 => STDERR], $pipes, null, $env + getenv());
        if ($process === false) {
            return ['', 127];
        }
        $stream = stream_get_contents($pipes[1]);
        return [$stream, proc_close($process)];
    }

    /** The command: `token-assay`, or the words of the variable TOKEN_ASSAY. */
    private static function command(): array
    {
        return preg_split('/\s+/', trim(getenv('TOKEN_ASSAY') ?: 'token-assay'));
    }

    private static function failure(string $text): array
    {
        return ['the run' => [['title' => 'the run has a verdict', 'status' => 'failed', 'text' => $text]]];
    }
}
