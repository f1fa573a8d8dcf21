// Fails if a package in the image has a known advisory. If the advisories cannot be read, it reports this and passes.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The output of "npm audit"; null if the registry does not answer or provides no advisories. */
async function audit() {
  const text = await new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    // `npm audit` exits with 1 for advisories and for failed requests. Only its output shows the difference.
    execFile('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=1'], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  try {
    const said = JSON.parse(text);
    return said.error === undefined && typeof said.metadata?.vulnerabilities?.total === 'number' ? said : null;
  } catch {
    return null;
  }
}

const said = await audit();
if (said === null) {
  console.log('advisories: could not be read');
} else if (said.metadata.vulnerabilities.total === 0) {
  console.log('advisories: none');
} else {
  for (const { name, severity, via } of Object.values(said.vulnerabilities)) {
    const titles = via.map((one) => (typeof one === 'string' ? `by way of ${one}` : `${one.title} (${one.url})`));
    console.log(`advisory: ${name}, ${severity}: ${titles.join('; ')}`);
  }
  process.exitCode = 1;
}
