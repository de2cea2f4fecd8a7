#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shell scripts do what they say when they are run as `sh SCRIPT`: those of sh are read by sh
# without complaint, those of bash hand themselves over to it. Run in the project's folder.
set -u
failed=0

for script in $(find . -name '*.sh' -not -path './build*' -not -path './.*' | sort); do
    case $(head -n 1 "$script") in
    '#!/bin/bash')
        sed -n '/^[^#]/{p;q}' "$script" | grep -qF '|| exec bash "$0" "$@"' ||
            { echo "$script: its first command does not hand over to bash"; failed=1; }
        ;;
    *)
        sh -n "$script" || { echo "$script: not for sh"; failed=1; }
        ;;
    esac
done
said=$(sh tests/bench/run.sh nowhere 2>&1)
[ "$said" = "run.sh: build the release preset first" ] ||
    { echo "sh tests/bench/run.sh: $said"; failed=1; }
exit $failed
