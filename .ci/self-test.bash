# shellcheck shell=bash
# What `./cardrig self-test` does once packages and release binary are there. The launcher reads
# this file; $root, $state, $binary and quietly come from it.

# A stage runs when its name stands here; every other one is a skip that .ci/skips must list.
built_stages="build tests fuzz examples soak scenarios gateways dynamag usb guest install"

failed_stages=()
passed_stage_count=0
skip_names=()
declare -A skip_reasons=() # what the test itself said
is_long=no

# stage NAME WHAT: runs stage_NAME under the headline WHAT; false when it failed. One that returns 77
# cannot run here, and is a skip with the last line of its log as the reason.
stage() {
    local name=$1 what=$2 began=$SECONDS status=0
    if [[ " $built_stages " != *" $name "* ]]; then
        skip_names+=("stage:$name")
        return
    fi
    printf '\n== %s\n' "$what"
    "stage_$name" || status=$?
    if ((status == 77)); then
        skip_names+=("stage:$name")
        skip_reasons["stage:$name"]=$(tail -n 1 "$state/$name.log")
    elif ((status == 0)); then
        passed_stage_count=$((passed_stage_count + 1))
        printf '== %s: passed after %d s\n' "$name" $((SECONDS - began))
    else
        failed_stages+=("$name")
        printf '== %s: FAILED after %d s\n' "$name" $((SECONDS - began))
        return 1
    fi
}

# --- The stages, in this order.

stage_build() { # Debug: every target, the tests, and the program of the USB test bed.
    quietly debug-build swift build --build-tests
}

stage_tests() {
    local log=$state/tests.log
    (cd -- "$root" && limited 30m swift test --skip-build --disable-xctest) 2>&1 | tee "$log" |
        grep --line-buffered -v '^◇ .* started\.$' # they stay in the log
    local status=${PIPESTATUS[0]}
    # Swift Testing prints: ➜ Test NAME skipped: "REASON", or: was cancelled after N seconds: "REASON"
    local name reason
    while IFS=$'\t' read -r name reason; do
        skip_names+=("test:$name")
        skip_reasons["test:$name"]=$reason
    done < <(
        sed -nE 's/^➜ (Test|Suite) (.*) (skipped|was cancelled after [^:]*)(: (.*)|\.)?$/\2\t\5/p' \
            "$log" | sed -E ':blanks; s/^([^\t]*) /\1_/; t blanks; s/"//g'
    )
    return "$status"
}

stage_fuzz() { # What strangers' captures may do to those who read them.
    local seconds=20
    [[ $is_long == no ]] || seconds=600
    (cd -- "$root" && limited 70m .ci/fuzz "$seconds") 2>&1 | tee "$state/fuzz.log"
    return "${PIPESTATUS[0]}"
}

stage_examples() { # What they print is what their page shows.
    (
        cd -- "$root" || exit 1
        {
            echo '$ swift run example-encrypt-card'
            limited 1m .build/debug/example-encrypt-card || exit 1
            echo '$ swift run example-swipe-card'
            limited 1m .build/debug/example-swipe-card || exit 1
        } >"$state/examples.log" &&
            sed -n '/^```console$/,/^```$/p' Examples/README.md | sed '1d;$d' |
            diff - "$state/examples.log"
    )
}

stage_soak() {
    local long=()
    [[ $is_long == no ]] || long=(--long)
    (cd -- "$root" && limited 60m "$binary" soak "${long[@]}")
}

# Three times, and byte for byte the same: whatever the workers, the locale and the optimizer.
stage_scenarios() {
    (
        cd -- "$root" || exit 1
        limited 5m "$binary" run Scenarios --strict &&
            limited 5m "$binary" run Scenarios --json >"$state/once.json" &&
            LC_ALL=C TZ=Asia/Tokyo limited 5m "$binary" run Scenarios --json --jobs 2 \
                >"$state/again.json" &&
            cmp "$state/once.json" "$state/again.json" &&
            limited 10m .build/debug/cardrig run Scenarios --json >"$state/debug.json" &&
            cmp "$state/once.json" "$state/debug.json"
    )
}

# The card payments again, at gateways in other processes, over HTTP: minutes of waiting in real time
# and seconds of work, so that they begin beside the tests.
begin_gateways() {
    (
        cd -- "$root" &&
            limited 15m .ci/over-http "$binary" Scenarios/nmi Scenarios/agentcash
    ) >"$state/gateways.log" 2>&1 &
    gateways=$!
}

stage_gateways() {
    local status=0
    wait "$gateways" || status=$?
    cat -- "$state/gateways.log"
    return "$status"
}

stage_dynamag() { # The same files on the USB sibling: same path, same events.
    (cd -- "$root" && limited 5m "$binary" run Scenarios/idynamo --reader sim:dynamag --strict)
}

stage_usb() { # The main job: the files again through the real libusb, on the test bed.
    (
        cd -- "$root" || exit 1
        limited 4m .build/debug/cardrig-usb-bed --limit 210 --control "/tmp/cardrig-usb-$$" -- \
            "$binary" run Scenarios/idynamo Scenarios/usb --reader usb:0801:0011 --strict || exit 1
        limited 2m .build/debug/cardrig-usb-bed --reader securemag --limit 100 \
            --control "/tmp/cardrig-usb-$$" -- \
            "$binary" run Scenarios/securemag --reader usb:0acd:2010 --strict
    )
}

stage_guest() { # Real kernel, real usbhid and cdc_acm: readers over USB/IP in a QEMU guest.
    (cd -- "$root" && limited 20m .ci/guest/run "$binary" "$state/guest") 2>&1 | tee "$state/guest.log"
    return "${PIPESTATUS[0]}"
}

stage_install() { # What is installed runs from anywhere and without the checkout.
    local prefix
    prefix=$(mktemp -d) || return
    "$root/cardrig" install --prefix "$prefix" &&
        (cd / && "$prefix/bin/cardrig" run "$prefix/share/cardrig/Scenarios" >"$state/installed.log")
    local status=$?
    rm -rf -- "$prefix"
    return "$status"
}

# Under a hard time limit: a stuck reader must not keep CI. On a terminal Ctrl-C reaches the command.
limited() {
    local mode=()
    [[ ! -t 0 ]] || mode=(--foreground)
    timeout "${mode[@]}" --kill-after=10s "$@"
}

# --- Skips: printed, counted, and held against .ci/skips.

skips_are_as_listed() {
    local name reason cause words status=0
    declare -A reasons=() causes=()
    while read -r name reason; do
        # `cardrig run --strict` holds the scenarios against the same file by itself.
        if [[ -n $name && $name != '#'* && $name != scenario:* ]]; then reasons[$name]=$reason; fi
    done <"$root/.ci/skips"
    printf '\n== Skipped: %d\n' "${#skip_names[@]}"
    for name in "${skip_names[@]}"; do
        cause=because:${skip_reasons[$name]-}
        cause=${cause// /_}
        if [[ -n ${reasons[$cause]-} ]]; then
            causes[$cause]=$((${causes[$cause]-0} + 1))
        elif [[ -n ${reasons[$name]-} ]]; then
            printf '%s: %s\n' "$name" "${reasons[$name]}"
            unset "reasons[$name]"
        else
            printf '%s: %s (not listed in .ci/skips)\n' "$name" "${skip_reasons[$name]-}"
            status=1
        fi
    done
    for name in "${!causes[@]}"; do
        words=${name#because:}
        printf '%d tests because %s: %s\n' "${causes[$name]}" "${words//_/ }" "${reasons[$name]}"
    done
    for name in "${!reasons[@]}"; do
        [[ $name != because:* ]] || continue
        printf '%s: listed in .ci/skips, but it was not skipped\n' "$name"
        [[ ${CI-} != true ]] || status=1
    done
    return "$status"
}

self_test() { # yes or no: the long form
    is_long=$1
    stage build "Debug build of all targets and tests" || exit 1
    begin_gateways
    stage tests "swift test"
    stage fuzz "Fuzzing of the readers of captures"
    stage examples "The examples of the SDK document"
    stage soak "Sweeps and soaks on the release binary"
    stage scenarios "Scenarios on simulated readers"
    stage gateways "Card payments at served gateways, over HTTP"
    stage dynamag "Scenarios/idynamo on a simulated Dynamag"
    stage usb "Scenarios/idynamo through libusb on the test bed"
    stage guest "Readers over USB/IP on a real kernel in QEMU"
    stage install "An installed copy"
    skips_are_as_listed || failed_stages+=(skips)
    if ((${#failed_stages[@]} > 0)); then
        printf '\nself-test: FAILED: %s\n' "${failed_stages[*]}"
        exit 1
    fi
    printf '\nself-test: %d stages passed, %d skipped\n' "$passed_stage_count" "${#skip_names[@]}"
}
