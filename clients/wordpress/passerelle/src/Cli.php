<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Listings of Passerelle gateways. */
final class Cli
{
    /**
     * Brings the listings to the lists of their gateways, slice by slice, until nothing is left.
     *
     * ## OPTIONS
     *
     * [--gateway=<crm/client>]
     * : Only this one.
     *
     * ## EXAMPLES
     *
     *     wp passerelle sync
     */
    public function sync(array $arguments, array $options): void
    {
        $only = (string) ($options['gateway'] ?? '');
        if ($only !== '' && !isset(Settings::all()['gateways'][$only])) {
            \WP_CLI::error(__('There is no such gateway.', 'passerelle'));
        }
        do {
            $slices = Sync::slice(Sync::SECONDS, true, $only);
            foreach ($slices as $gateway => $slice) {
                \WP_CLI::log("$gateway: " . Admin::summary($slice));
            }
            $states = array_column($slices, 'state');
        } while (array_intersect(['more', 'waiting'], $states) !== [] && array_diff($states, ['more', 'waiting', 'done']) === []);
        if (array_diff($states, ['done']) !== []) {
            \WP_CLI::error(__('It did not finish.', 'passerelle'));
        }
        \WP_CLI::success(__('Everything is up to date.', 'passerelle'));
    }
}
