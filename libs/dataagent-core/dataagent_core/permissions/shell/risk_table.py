"""The table of options with which an ordinary program runs or writes something else.

One entry for a program, and one for `program sub-command` where only that has the option. The
programs are those that people allow with a wildcard. `docs/permissions.md` explains it, and a test
goes through every entry; how words are compared is `risky_options.py`'s.
"""

from typing import Final

from dataagent_core.permissions.shell.risky_options import RiskyOptions, new_risks

# `ext::sh -c ...` and its like: a transport that is a program.
TRANSPORT = r"[\w+.-]+::.*"
_PAGER = new_risks(
    "oOktT",
    "--log-file --LOG-FILE --lesskey-file --lesskey-src --lesskey-content --cmd --tag --tag-file",
    pattern=r"\+.*",
)
_APT = new_risks("oc", "--option --config-file", valued="t")
_VIM = new_risks("cSswWuUiV", "--cmd --startuptime", pattern=r"\+.*")
_COMPILER = new_risks(
    "B", "-wrapper -specs -fplugin -o -dumpdir --specs --output", pattern=r"@.*|-fplugin.*|-o.+"
)
_REMOTE = new_risks("oFSJEDLRwb", "")
_NPM = new_risks(
    "C",
    "--script-shell --prefix --globalconfig --userconfig --node-options --shell --call -c --dir "
    "--cwd --registry --cache --modules-folder --use-yarnrc --init-module --git --logs-dir "
    "--viewer --editor --pnpmfile --global-pnpmfile",
)
_PIP = new_risks(
    "tierf",
    "--target --index-url --extra-index-url --find-links --prefix --root --src --log --editable "
    "--requirement --python --global-option --config-settings --build-option --report --cache-dir "
    "--trusted-host --proxy --cert",
)
_SQL_SHELL = new_risks(
    "ceofL",
    "--command --output --log-file --tee --pager --init-command",
    pattern=r"\\.*",
)

RISKS: Final[dict[str, RiskyOptions]] = {
    # Looking and searching.
    "find": new_risks("", "-delete -fprint -fprint0 -fprintf -fls -exec -execdir -ok -okdir"),
    "fd": new_risks("xX", "--exec --exec-batch", valued="eEtjSc"),
    "rg": new_risks("z", "--pre --hostname-bin --search-zip", valued="ABCEMTdefgjmrt"),
    "ag": new_risks("z", "--pager --search-zip"),
    "sort": new_risks(
        "oST", "--output --compress-program --temporary-directory --files0-from", valued="kt"
    ),
    # `@file` holds more options.
    "nm": new_risks(words="--plugin", pattern=r"@.*"),
    "objdump": new_risks(words="--plugin", pattern=r"@.*"),
    "size": new_risks(pattern=r"@.*"),
    # The name of a service may be the path of a library.
    "getent": new_risks("s", "--service"),
    "iconv": new_risks("o", "--output", valued="ft"),
    "shuf": new_risks("o", "--output --random-source", valued="in"),
    "split": new_risks("", "--filter"),
    "tree": new_risks("oR", "--output"),
    "file": new_risks(
        "CmzZ", "--compile --magic-file --uncompress --uncompress-noreport", valued="FePf"
    ),
    "date": new_risks("s", "--set", valued="dfrI", pattern=r"\d{8,12}(?:\.\d\d)?"),
    "less": _PAGER,
    "more": _PAGER,
    "man": new_risks("PHC", "--pager --html --config-file"),
    "jq": new_risks("fL", "--from-file"),
    "yq": new_risks("if", "--inplace --from-file --split-exp -s"),
    # Scripts of `sed` and `awk` are looked into by themselves (`risks.py`).
    "sed": new_risks("if", "--in-place --file", valued="el"),
    "awk": new_risks(
        "feliEo",
        "--file --source --load --include --exec --dump-variables --pretty-print --profile -W",
        valued="Fv",
    ),
    "perl": new_risks("eEiMmIxdDsS", ""),
    # Version control.
    "git": new_risks(
        "",
        "--config-env --exec-path --git-dir --work-tree --super-prefix --namespace --paginate "
        "--upload-pack --receive-pack --output --ext-diff --textconv --filters --help "
        "--open-files-in-pager --exec --show-signature --output-directory --template "
        "--separate-git-dir --config --extcmd --tool --sendmail-cmd --smtp-server --gpg-sign "
        "--strategy",
        pattern=TRANSPORT,
        leading="-c",
    ),
    "git grep": new_risks("O", "", valued="ABCefm"),
    "git diff": new_risks("", "", pattern=r"-O.+"),
    "git log": new_risks("", "", pattern=r"-O.+"),
    "git rebase": new_risks("xiXs", "--interactive --exec", valued="C"),
    "git difftool": new_risks("xtg", "--gui"),
    "git mergetool": new_risks("tg", "--gui"),
    "git merge": new_risks("sS", valued="mFX"),
    "git pull": new_risks("s", valued="X"),
    "git hook": new_risks("", "run"),
    "git help": new_risks("w", "--web"),
    "git bugreport": new_risks("o"),
    "git diagnose": new_risks("o"),
    "git mailsplit": new_risks("o"),
    "git index-pack": new_risks("o"),
    "git instaweb": new_risks("", "instaweb"),
    "git for-each-repo": new_risks("", "--config"),
    "git checkout-index": new_risks("", "--prefix"),
    "git fast-export": new_risks("", "--export-marks"),
    "git fast-import": new_risks("", "--export-marks --export-pack-edges"),
    "git bisect": new_risks("", "run visualize view"),
    "git submodule": new_risks("", "foreach add update"),
    "git clone": new_risks("cu", "", valued="bjo"),
    "git fetch": new_risks("", "", valued="jo"),
    "git archive": new_risks("o", "--remote"),
    "git format-patch": new_risks("o", ""),
    "git config": new_risks(
        "fe",
        "--file --edit --global --system --add --replace-all --unset "
        "--unset-all --rename-section --remove-section",
    ),
    "git commit": new_risks("S", "", valued="mFCct"),
    "git tag": new_risks("su", "--sign --local-user", valued="mFn"),
    "git send-email": new_risks("", "--to-cmd --cc-cmd --header-cmd"),
    "git worktree": new_risks("", "add move"),
    "git bundle": new_risks("", "create"),
    "git blame": new_risks("", "--contents", valued="CLMS"),
    "git filter-branch": new_risks("", "", pattern=r"--.*-filter.*"),
    "svn": new_risks("", "--config-option --config-dir --editor-cmd --diff-cmd --diff3-cmd"),
    "hg": new_risks("", "--config --cwd --repository -R"),
    # Building.
    "make": new_risks(
        "fIEe",
        "--eval --file --makefile --include-dir --environment-overrides",
        valued="CWjlo",
        pattern=r"[A-Za-z_.%][\w.%-]*\s*(?:::?:?|\+|\?|!)?=.*",
    ),
    "just": new_risks(
        "fd", "--justfile --working-directory --shell --shell-arg --set --command -c"
    ),
    "cmake": new_risks("PE", "--install --toolchain", pattern=r"-D.*|-C.*"),
    "ninja": new_risks("ft", ""),
    "gcc": _COMPILER,
    "g++": _COMPILER,
    "cc": _COMPILER,
    "clang": _COMPILER,
    "rustc": new_risks("oC", "--codegen --out-dir --emit"),
    "go": new_risks(
        # With one dash or with two, the value behind a sign or in the next word.
        pattern=r"--?(?:exec|toolexec|overlay|modfile|vettool|ldflags|gccgoflags|compiler|pkgdir|o"
        r"|C|outputdir|(?:cpu|mem|block|mutex|cover)profile|trace)(?:=.*)?",
    ),
    "cargo": new_risks(
        "ZC",
        "--config --target-dir --manifest-path --out-dir --artifact-dir --root",
        abbreviates=False,
    ),
    "gradle": new_risks("IbcgP", "--init-script --build-file --settings-file --project-cache-dir"),
    "mvn": new_risks("fsDl", "--file --settings --log-file"),
    "pytest": new_risks(
        "cop",
        "--basetemp --rootdir --confcutdir --override-ini --config-file --junitxml --junit-xml "
        "--log-file --debug --pastebin --pdbcls --cov-report --cov-config --resultlog --html",
        valued="kmnrW",
        abbreviates=False,
    ),
    "npm": _NPM,
    "npx": _NPM,
    "pnpm": _NPM,
    "yarn": _NPM,
    "bun": new_risks("erp", "--eval --print --preload --require --cwd --config --outfile --outdir"),
    "pip": _PIP,
    "pip3": _PIP,
    "uv": new_risks(
        "",
        "--directory --project --with --with-requirements --index-url --default-index --index "
        "--extra-index-url --python -p --config-file --target --prefix --env-file --cache-dir",
        abbreviates=False,
    ),
    # Interpreters.
    "python": new_risks("cmix", "", valued="WX"),
    "python3": new_risks("cmix", "", valued="WX"),
    "node": new_risks(
        "epr",
        "--eval --print --require --import --loader --experimental-loader --env-file --run "
        "--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --build-snapshot "
        "--trace-event-file-pattern --test-reporter-destination --inspect --openssl-config",
        abbreviates=False,
    ),
    "deno": new_risks(
        "Aecr", "eval --allow-all --allow-run --allow-write --eval --config --import-map --output"
    ),
    "ruby": new_risks("erIixC", "--require"),
    "php": new_risks("rBREFdzS", "--run --define"),
    "lua": new_risks("eli", ""),
    # The network.
    "curl": new_risks(
        "oODcTKJx",
        "--output --remote-name --remote-name-all --dump-header --cookie-jar --trace --trace-ascii "
        "--stderr --libcurl --etag-save --hsts --alt-svc --upload-file --config --output-dir "
        "--remote-header-name --create-dirs --unix-socket --abstract-unix-socket --proxy "
        "--preproxy --engine --form-string --ssl-sessions",
        valued="AEFHQUXYbdehmrtuwyz",
        pattern=r".*%output\{.*|@.*|\w+=@.*|-[dFw].*@.*",
    ),
    "wget": new_risks(
        "OoaPeixBK",
        "--output-document --output-file --append-output --directory-prefix --input-file --execute "
        "--use-askpass --post-file --body-file --save-cookies --rejected-log --warc-file --config "
        "--warc-tempdir --hsts-file --protocol-directories --load-cookies --ca-certificate",
        valued="UQTtwlADRIX",
    ),
    "ssh": _REMOTE,
    "scp": _REMOTE,
    "sftp": _REMOTE,
    "rsync": new_risks(
        "eT",
        "--rsh --rsync-path --log-file --partial-dir --backup-dir --temp-dir --write-batch "
        "--only-write-batch --daemon --config --files-from --remove-source-files --delete "
        "--early-input --password-file",
    ),
    # Archives.
    "tar": new_risks(
        "IFCPgTK",
        "--to-command --use-compress-program --checkpoint-action --info-script --directory "
        "--new-volume-script --rsh-command --rmt-command --absolute-names --index-file "
        "--listed-incremental --volno-file --one-top-level --files-from --transform --xform "
        "--remove-files --exclude-from",
        valued="fbHNVXL",
        # An archive of another machine is fetched by a program.
        pattern=r"[\w.@-]+:.*",
        bundle=True,
    ),
    "zip": new_risks(
        "TbO", "-TT --unzip-command --temp-path --output-file --test --move -m -lf -la"
    ),
    "unzip": new_risks("d", ""),
    "7z": new_risks("", "", pattern=r"-o.*|-w.*"),
    "gzip": new_risks("S", "--suffix"),
    # Editors, databases, containers.
    "vim": _VIM,
    "vi": _VIM,
    "view": _VIM,
    "nvim": _VIM,
    "ex": _VIM,
    "emacs": new_risks(
        "fl", "--eval --execute --load --funcall --script --batch --insert --command"
    ),
    "nano": new_risks("C", "--backupdir --rcfile -f --operatingdir --speller -s", pattern=r"\+.*"),
    "ed": new_risks("", "", pattern=r"!.*"),
    "psql": _SQL_SHELL,
    "mysql": _SQL_SHELL,
    "sqlite3": new_risks(
        "", "-cmd -init --cmd --init", pattern=r"\..*|.*(?i:load_extension|writefile|edit\().*"
    ),
    "duckdb": new_risks("cs", "-cmd -init", pattern=r"\..*|.*(?i:copy|install|load|attach)\s.*"),
    "openssl": new_risks("", "-out -engine -config -provider-path -writerand -keyout -CAserial"),
    "gpg": new_risks(
        "o", "--output --homedir --options --keyserver --photo-viewer --agent-program"
    ),
    "docker": new_risks(
        "vH",
        "--volume --mount --privileged --device --pid --net --network --entrypoint --cap-add "
        "--security-opt --ipc --uts --userns --host --config --context --env-file --output -o "
        "--volumes-from --cgroupns --add-host --use-api-socket",
        valued="ewuphmc",
        abbreviates=False,
    ),
    "kubectl": new_risks(
        "fk",
        "--kubeconfig --filename --kustomize --token --server --as --context",
        abbreviates=False,
    ),
    "terraform": new_risks(
        "",
        "-chdir -state -state-out -backup -out -var-file -plugin-dir",
        pattern=r"--?(?:chdir|state|state-out|backup|out|plugin-dir)=.*",
    ),
    # Package managers of systems.
    "apt": _APT,
    "apt-get": _APT,
    "dpkg": new_risks(
        "",
        "--pre-invoke --post-invoke --status-logger --root --admindir --instdir --log",
        abbreviates=False,
    ),
    "rpm": new_risks(
        "ED",
        "--pipe --eval --define --predefine --undefine --macros --rcfile --load --root --dbpath",
    ),
    "gem": new_risks("", "--config-file --install-dir --bindir --build-root"),
    # Checkers and test runners: code that a configuration or a plugin names.
    "mypy": new_risks("", "--config-file --python-executable --junit-xml --cache-dir"),
    "ruff": new_risks("o", "--config --output-file --cache-dir", abbreviates=False),
    "eslint": new_risks(
        "co", "--config --rulesdir --plugin --parser --resolve-plugins-relative-to --output-file"
    ),
    "prettier": new_risks("", "--plugin --config --plugin-search-dir"),
    "jest": new_risks("c", "--config --globalSetup --setupFiles --runner --reporters --outputFile"),
    "vitest": new_risks("c", "--config --globalSetup --reporter --outputFile --root"),
    "tsc": new_risks("p", "--project --outDir --outFile --build -b"),
    "tox": new_risks("c", "--conf --override -x --workdir"),
    "nox": new_risks("f", "--noxfile --envdir"),
    "pre-commit": new_risks("c", "--config"),
    "pylint": new_risks("", "--init-hook --load-plugins --rcfile --output", abbreviates=False),
    "flake8": new_risks("", "--config --append-config --output-file --tee --require-plugins"),
    "mocha": new_risks("r", "--require --config --file --import --loader --node-option"),
    "ts-node": new_risks("epr", "--eval --print --require --project --compiler"),
    "tsx": new_risks("epr", "--eval --print --require --import --tsconfig"),
    "webpack": new_risks("co", "--config --output-path --require"),
    "rollup": new_risks("copd", "--config --plugin --file --dir --configPlugin"),
    "vite": new_risks("c", "--config --outDir"),
    "esbuild": new_risks("", "--outfile --outdir --metafile --tsconfig --servedir"),
    "babel": new_risks("od", "--config-file --plugins --presets --out-file --out-dir --require"),
    "phpunit": new_risks("c", "--bootstrap --configuration --log-junit --extension"),
    "rake": new_risks("feErR", "--rakefile --execute --require --rakelibdir"),
    "mix": new_risks("erS", "--eval --require", abbreviates=False),
    "bazel": new_risks(
        "",
        "--run_under --workspace_status_command --output_base --bazelrc --override_repository "
        "--action_env --host_jvm_args --sandbox_writable_path --output_user_root",
        abbreviates=False,
    ),
    "sphinx-build": new_risks("cCDd", "--define --conf-dir --doctree-dir"),
    # Others that are told by an option to run or write something.
    "helm": new_risks(
        "f",
        "--post-renderer --kubeconfig --kube-context --registry-config --output-dir --values",
        abbreviates=False,
    ),
    "ansible": new_risks("aeiMm", "--args --extra-vars --inventory --module-path --module-name"),
    "ansible-playbook": new_risks(
        "eiM", "--extra-vars --inventory --module-path --ssh-common-args"
    ),
    **dict.fromkeys(
        ("pdflatex", "xelatex", "lualatex", "latex", "tex"),
        new_risks(
            "",
            "-shell-escape --shell-escape -enable-write18 -output-directory --output-directory "
            "-jobname -fmt -ini -lua --lua",
            pattern=r"-+(?:output-directory|jobname|fmt|lua)=.*|.*\\.*",
        ),
    ),
    "latexmk": new_risks("re", pattern=r"-+(?:pdf|x|lua)?latex=.*|-outdir=.*"),
    "gs": new_risks("oc", "-dNOSAFER", pattern=r"-sOutputFile=.*|--permit.*"),
    "ctags": new_risks("of", "--options --output"),
    "ssh-keygen": new_risks("DfyY"),
    "xmllint": new_risks("o", "--output --shell --path"),
    "dc": new_risks("ef", "--expression --file"),
    "pandoc": new_risks("Fo", "--filter --lua-filter --pdf-engine --output --defaults -d -L"),
    "protoc": new_risks(pattern=r"--(?:plugin|\w+_out).*|@.*"),
    "nc": new_risks("ec", "--exec --sh-exec --output"),
    "tcpdump": new_risks("wzZ"),
    "bat": new_risks(words="--pager --config-file"),
    "java": new_risks(pattern=r"-javaagent.*|-agent.*|-XX:On.*|@.*"),
    "Rscript": new_risks("e"),
    "julia": new_risks("eELp", "--eval --print --load"),
    "dd": new_risks("", "", pattern=r"of=.*"),
    "patch": new_risks("odrBi", "--output --directory --reject-file --prefix --input"),
    "install": new_risks("tS", "--target-directory --strip-program --suffix", valued="gmo"),
    "strace": new_risks("o", "--output"),
    "systemctl": new_risks("HM", "--host --machine --root edit"),
}
SAME_PROGRAMS: Final = {
    "gawk": "awk",
    "mawk": "awk",
    "nawk": "awk",
    "gsed": "sed",
    "gmake": "make",
    "gtar": "tar",
    "bsdtar": "tar",
    "podman": "docker",
    "c++": "cc",
    "clang++": "cc",
    "gfind": "find",
    "pypy3": "python3",
    "fdfind": "fd",
    "rvim": "vim",
    "vimdiff": "vim",
    "ncat": "nc",
    "netcat": "nc",
    "batcat": "bat",
}
RISKS.update((same, RISKS[known]) for same, known in SAME_PROGRAMS.items())
