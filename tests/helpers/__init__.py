"""What tests share: small games, slow references, programs and pages that are run."""
