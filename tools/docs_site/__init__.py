"""The site of the documentation: docs/*.md, and a reference from docstrings, as HTML by Sphinx (`make docs`).

The Markdown is written for readers of the repository. `pages` copies it and turns what only works there into what works on the site:
links to code become pages that show the code. `reference` makes the pages of the public names. `docs/contents.toml` is the navigation.
"""
